"""The only importer of z3: scripts in, verdicts, models and cores out. Limits are counted in z3's own resource units, never in seconds."""

from __future__ import annotations

import threading
from _thread import interrupt_main
from collections.abc import Sequence
from typing import Any

from plainchant.records import Frozen

RLIMIT = 20_000_000
"""Resource units for one question; about ten seconds, the same on every machine."""


class Answer(Frozen):
    """verdict is sat, unsat or unknown; `core` the assumptions that are enough for unsat."""

    verdict: str
    core: tuple[str, ...] = ()


class Blank:
    """A solver without a script, made ahead, while there is nothing else to do: it takes as long as twenty answers.

    Whoever takes it first has it; whoever comes later gets one made then.
    """

    def __init__(self) -> None:
        self._ready: tuple[Any, Any] | None = self._made()

    def take(self) -> tuple[Any, Any]:
        """The context and the solver, which nobody else has."""
        taken, self._ready = self._ready or self._made(), None
        return taken

    def _made(self) -> tuple[Any, Any]:
        import z3

        owner = z3.Context()  # of its own, so that what was asked before in this process changes no model
        return owner, z3.SolverFor("QF_FD", ctx=owner)


class Solver:
    """One incremental solver over an SMT-LIB script, asked with assumption literals. z3 is loaded when the first one is made.

    The script is taken in when the first answer is wanted, or ahead (`begin`): for that z3 needs none of Python's time.

    Assumptions, cores and models go through z3's C interface: its Python objects check every argument anew, which takes longer than the
    answers.
    """

    def __init__(self, script: str, rlimit: int = RLIMIT, blank: Blank | None = None) -> None:
        import z3

        self._z3 = z3
        self._owner, self._solver = (blank or Blank()).take()
        self._solver.set("random_seed", 0)
        self._solver.set("rlimit", rlimit)
        # Simplifying between questions takes longer than the questions: each is easy, and there are many.
        self._solver.set("simplify.delay", 1 << 30)
        self._script: str | None = script
        self._thread: threading.Thread | None = None
        self._context = self._owner.ref()
        self._true = z3.BoolVal(True, self._owner)
        self._model: Any = None
        self._literals: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._declared: dict[str, Any] = {}
        self._kept: list[Any] = []

    def begin(self) -> None:
        """Take in the script, down to a first answer, in a thread of its own, beside what Python does.

        Ctrl-C is told to the main thread then: z3 takes the signal for itself while it is at work.
        """
        self._thread = threading.Thread(target=self._beside, daemon=True)
        self._thread.start()

    def get_ready(self) -> None:
        """See to it that the script was taken in, down to a first answer, and that no thread is at it any more."""
        self._wait()
        if self._script is not None:
            self.check([])

    def _beside(self) -> None:
        try:
            self._take_in()
            self._answer([])
        except KeyboardInterrupt:
            interrupt_main()
        except self._z3.Z3Exception:
            pass  # it comes again where it is told: the script was not taken in

    def _wait(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _take_in(self) -> None:
        self._solver.from_string(self._script)
        self._script = None

    def _literal(self, name: str) -> Any:
        """The literal of a Boolean as z3's C interface has it."""
        found = self._literals.get(name)
        if found is None:
            kept = self._z3.Bool(name, self._owner)
            self._kept.append(kept)
            found = self._literals[name] = kept.as_ast()
            self._names[self._z3.Z3_get_ast_id(self._context, found)] = name
        return found

    def check(self, assumptions: Sequence[str]) -> Answer:
        """Whether the script holds together with these literals. The model of a sat is made when it is first looked at.

        Raises KeyboardInterrupt if Ctrl-C cancelled it: z3 takes the signal for itself, and its answer would pass for one at the limit.
        """
        self._wait()
        if self._script is not None:
            self._take_in()
        return self._answer(assumptions)

    def _answer(self, assumptions: Sequence[str]) -> Answer:
        z3 = self._z3
        literals = (z3.Ast * len(assumptions))(*[self._literal(name) for name in assumptions])
        result = z3.Z3_solver_check_assumptions(self._context, self._solver.solver, len(assumptions), literals)
        self._model = None
        if result == z3.Z3_L_TRUE:
            return Answer("sat")
        if result == z3.Z3_L_FALSE:
            return Answer("unsat", self._core())
        if "interrupted" in z3.Z3_solver_get_reason_unknown(self._context, self._solver.solver):
            raise KeyboardInterrupt
        return Answer("unknown")

    def _core(self) -> tuple[str, ...]:
        """The names of the literals in the last core."""
        z3, context = self._z3, self._context
        core = z3.AstVector(z3.Z3_solver_get_unsat_core(context, self._solver.solver), self._owner)
        size = z3.Z3_ast_vector_size(context, core.vector)
        asts = [z3.Z3_ast_vector_get(context, core.vector, i) for i in range(size)]
        return tuple(sorted(self._names[z3.Z3_get_ast_id(context, ast)] for ast in asts))

    def is_true(self, name: str) -> bool:
        """Whether the last model makes a Boolean true; one that it leaves open counts as false."""
        z3 = self._z3
        value = z3.Z3_model_get_const_interp(self._context, self._last_model().model, self._declaration(name))
        return value is not None and bool(value.value == self._true.as_ast().value)

    def _declaration(self, name: str) -> Any:
        found = self._declared.get(name)
        if found is None:
            kept = self._z3.Bool(name, self._owner).decl()
            self._kept.append(kept)
            found = self._declared[name] = kept.ast
        return found

    def number(self, name: str, width: int) -> int | None:
        """The value of a number in the last model; None if it leaves it open."""
        value = self._last_model()[self._z3.BitVec(name, width, self._owner)]
        return None if value is None else int(value.as_signed_long())

    def _last_model(self) -> Any:
        if self._model is None:
            self._model = self._solver.model()
        return self._model
