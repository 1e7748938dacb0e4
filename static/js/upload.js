// Choosing, dropping and sending files. Without this script the form works as a form does; with it
// files can be dropped, what is over the limit is named before it is sent, the upload shows its
// progress, and the chosen files stay chosen when the form comes back.
const size = (bytes) =>
  bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

const receive = (box) => {
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
    const tooLarge = bytes > limit;
    const it = files.length > 1 ? "These files have" : "This file has";
    input.setCustomValidity(
      tooLarge ? `${it} ${size(bytes)}; the limit is ${(limit / 1e6).toFixed(0)} MB.` : "",
    );
    const names = files.map((file) => file.name).join(", ");
    said.textContent = tooLarge ? input.validationMessage : `${names}, ${size(bytes)}`;
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
  if (input.files.length) say();
};

const show = (form, loaded, total) => {
  const bar = form.querySelector("[data-progress]");
  bar.hidden = false;
  const progress = bar.querySelector("progress");
  progress.max = total;
  progress.value = loaded;
  bar.querySelector("[data-sent]").textContent =
    loaded < total ? `${size(loaded)} of ${size(total)} sent` : "Sent. The file is being checked.";
};

// The page that was answered takes the place of this one; the files stay chosen.
const replace = (text, files) => {
  const answered = new DOMParser().parseFromString(text, "text/html");
  document.title = answered.title;
  document.querySelector("main").replaceWith(answered.querySelector("main"));
  const input = document.querySelector("[data-upload] input[type=file]");
  if (input && files.length) input.files = files;
  begin();
  document.dispatchEvent(new Event("page-replaced"));
  const report = document.querySelector("main [aria-labelledby=check], main .errorlist");
  (report ?? document.querySelector("main")).scrollIntoView();
  document.querySelector("main").focus({ preventScroll: true });
};

const send = (form, button) => {
  const input = form.querySelector("input[type=file]");
  if (!input.checkValidity()) {
    input.reportValidity();
    return;
  }
  const files = input.files;
  const request = new XMLHttpRequest();
  const buttons = form.querySelectorAll("button");
  const failed = () => {
    for (const one of buttons) one.disabled = false;
    form.querySelector("[data-progress]").hidden = true;
    form.querySelector("[data-said]").textContent =
      "The connection was lost and nothing has been stored. Send it again.";
  };
  request.upload.addEventListener("progress", (event) => show(form, event.loaded, event.total));
  request.addEventListener("error", failed);
  request.addEventListener("load", () => {
    const address = new URL(request.responseURL);
    if (address.pathname !== location.pathname) location.assign(address);
    else replace(request.responseText, files);
  });
  const body = new FormData(form, button);
  for (const one of buttons) one.disabled = true;
  request.open("POST", location.href);
  request.send(body);
};

const begin = () => {
  const form = document.querySelector("form[data-upload]");
  if (!form) return;
  receive(form.querySelector("[data-drop]"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, event.submitter);
  });
};

begin();
