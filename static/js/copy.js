// A copy button beside every block that asks for one; without a script the text can be selected.
const offer = (box) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet small";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${box.dataset.copy}`);
  button.addEventListener("click", async () => {
    const text = box.querySelector("pre").textContent.trim();
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl+C";
      getSelection().selectAllChildren(box.querySelector("pre"));
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  box.querySelector("header").append(button);
};

const offerAll = () => document.querySelectorAll("[data-copy]").forEach(offer);

offerAll();
document.addEventListener("page-replaced", offerAll);
