// The clip page with more comfort: a sentence under the pointer or in focus lights up its nearest on
// the other side, and keys lead to other clips and systems. Without this file its links do the same.
const lit = new Set();

function light(sentence) {
  for (const one of lit) one.classList.remove("lit");
  lit.clear();
  if (!sentence?.dataset.partners) return;
  const partners = sentence.dataset.partners.split(" ").map((id) => document.getElementById(id));
  for (const one of [sentence, ...partners]) {
    if (!one) continue;
    one.classList.add("lit");
    lit.add(one);
  }
  for (const one of partners) showInside(one);
}

// The reference has a scrollbar of its own beside long pages: only that one is moved.
function showInside(one) {
  const box = one?.closest(".reference");
  if (!box || box.scrollHeight <= box.clientHeight) return;
  const [inner, outer] = [one.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    box.scrollTop += inner.top - outer.top - box.clientHeight / 3;
  }
}

for (const event of ["pointerover", "focusin"]) {
  document.addEventListener(event, (happened) => light(happened.target.closest?.(".sentence")));
}

const busy = "input, select, textarea, button, summary, video, [role=region], [contenteditable]";

function follow(rel) {
  const link = document.querySelector(`a[rel=${rel}]`);
  if (link) location.assign(link.href);
}

function step(by) {
  const systems = [...document.querySelectorAll("article.description")];
  if (!systems.length) return;
  const at = systems.findIndex((one) => one.contains(document.activeElement));
  const next = systems[Math.min(systems.length - 1, Math.max(0, at + by))];
  next.focus();
  next.scrollIntoView({ block: "start" });
}

document.addEventListener("keydown", (key) => {
  if (key.ctrlKey || key.metaKey || key.shiftKey || key.defaultPrevented) return;
  if (key.altKey) {
    if (key.key === "ArrowDown" || key.key === "ArrowUp") {
      key.preventDefault();
      step(key.key === "ArrowDown" ? 1 : -1);
    }
    return;
  }
  if (document.activeElement?.closest(busy)) return;
  if (key.key === "ArrowLeft") follow("prev");
  if (key.key === "ArrowRight") follow("next");
});
