// Dropping files on the box chooses them, and what is over the limit is named before it is sent.
const box = document.querySelector("[data-drop]");
if (box) {
  const input = box.querySelector("input[type=file]");
  const said = box.querySelector("[data-said]");
  const limit = Number(box.dataset.limit);

  const say = () => {
    const files = [...input.files];
    if (!files.length) {
      said.textContent = "";
      input.setCustomValidity("");
      return;
    }
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    const tooLarge = bytes > limit;
    const it = files.length > 1 ? "These files have" : "This file has";
    input.setCustomValidity(
      tooLarge ? `${it} ${size}; the limit is ${(limit / 1e6).toFixed(0)} MB.` : "",
    );
    const names = files.map((file) => file.name).join(", ");
    said.textContent = tooLarge ? input.validationMessage : `${names}, ${size}`;
  };

  input.addEventListener("change", say);
  for (const name of ["dragover", "dragenter"]) {
    box.addEventListener(name, (event) => {
      event.preventDefault();
      box.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) {
    box.addEventListener(name, () => box.classList.remove("over"));
  }
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      say();
    }
  });
}
