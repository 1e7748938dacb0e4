// A row of the ranking unfolds to its system's summary; without a script the mark is a plain link.
const unfold = async (link) => {
  const row = link.closest("tr");
  const next = row.nextElementSibling;
  if (next?.classList.contains("unfolded")) {
    next.remove();
    link.setAttribute("aria-expanded", "false");
    return;
  }
  const answer = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) {
    location.assign(link.href);
    return;
  }
  const below = document.createElement("tr");
  below.className = "unfolded";
  const cell = below.insertCell();
  cell.colSpan = row.cells.length;
  cell.innerHTML = await answer.text();
  row.after(below);
  link.setAttribute("aria-expanded", "true");
};

const offer = () =>
  document.querySelectorAll("a.more").forEach((link) => {
    link.setAttribute("role", "button");
    link.setAttribute("aria-expanded", "false");
  });

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.more");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  unfold(link);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches?.("a.more")) return;
  event.preventDefault();
  unfold(event.target);
});
offer();
