// Dropping a file on the box chooses it, and a file over the limit is named before it is sent.
const box = document.querySelector("[data-drop]");
if (box) {
  const input = box.querySelector("input[type=file]");
  const said = box.querySelector("[data-said]");
  const limit = Number(box.dataset.limit);

  const say = () => {
    const file = input.files[0];
    if (!file) {
      said.textContent = "";
      input.setCustomValidity("");
      return;
    }
    const size = `${(file.size / 1e6).toFixed(1)} MB`;
    const tooLarge = file.size > limit;
    input.setCustomValidity(
      tooLarge ? `This file has ${size}; the limit is ${(limit / 1e6).toFixed(0)} MB.` : "",
    );
    said.textContent = tooLarge ? input.validationMessage : `${file.name}, ${size}`;
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
