// On narrow screens the contents of the book begin folded; a link into a folded play opens it; words that were typed while the
// search was still being made ready are searched for as soon as it is.
document.addEventListener("DOMContentLoaded", () => {
  if (window.matchMedia("(max-width: 991px)").matches) {
    document.querySelectorAll(".pc-contents").forEach((contents) => contents.removeAttribute("open"));
  }
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target && target.closest("details");
    if (folded) folded.open = true;
  };
  window.addEventListener("hashchange", unfold);
  unfold();

  const ready = window.initSearch;
  const typed = document.getElementById("mkdocs-search-query");
  if (ready && typed) {
    window.initSearch = () => {
      ready();
      typed.addEventListener("input", window.doSearch);
      if (typed.value) window.doSearch();
    };
  }
});
