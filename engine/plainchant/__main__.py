"""`python -m plainchant`."""

from plainchant.faces.command_line import main

if __name__ == "__main__":
    raise SystemExit(main())
