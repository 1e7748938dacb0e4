// Draws what stands in a figure's table. The table is there first and stays; plotly is fetched only
// once the page has loaded and a figure comes near the window.
const root = document.querySelector("[data-plotly]");
const figures = root ? [...root.querySelectorAll("figure[data-chart]")] : [];
const drawn = new Set();
let library;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const number = (cell) => (cell.dataset.value === undefined ? null : Number(cell.dataset.value));
const text = (cell) => cell.textContent.trim();
const word = (cell) => (cell.dataset.value === undefined ? "–" : text(cell));

// Maps, which are not drawn here, would write their styles into the page, and the policy would
// refuse them. They look first for an element of this name, so there is one.
const MAP_STYLES = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

function fetchLibrary() {
  if (!document.getElementById(MAP_STYLES)) {
    const mark = document.createElement("template");
    mark.id = MAP_STYLES;
    document.head.append(mark);
  }
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root.dataset.plotly;
    script.onload = () => resolve(globalThis.Plotly);
    script.onerror = reject;
    document.head.append(script);
  });
  return library;
}

function layout(height, more) {
  const axis = { automargin: true, gridcolor: colour("--line"), zeroline: false, fixedrange: true };
  return {
    height,
    margin: { t: 8, r: 8, b: 8, l: 8 },
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    font: { family: colour("--sans"), size: 12, color: colour("--ink") },
    showlegend: false,
    ...more,
    xaxis: { ...axis, ...more.xaxis },
    yaxis: { ...axis, ...more.yaxis },
  };
}

// Long names are broken at spaces and hyphens so that axes leave room for the drawing.
function broken(name) {
  const lines = [""];
  for (const part of name.split(/(?<=[ -])/)) {
    if ((lines.at(-1) + part).length > 16) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines.filter(Boolean).join("<br>");
}

function heat(figure) {
  const table = figure.querySelector("table");
  const rows = [...table.tBodies[0].rows];
  const columns = [...table.tHead.rows[0].cells].slice(1).map((cell) => broken(text(cell)));
  const names = rows.map((row) => broken(text(row.cells[0])));
  const z = rows.map((row) => [...row.cells].slice(1).map(number));
  const words = rows.map((row) => [...row.cells].slice(1).map(word));
  const shares = figure.dataset.shares !== undefined;
  const known = z.flat().filter((value) => value !== null);
  const room = figure.clientWidth / Math.max(1, columns.length);
  const trace = {
    type: "heatmap",
    z,
    x: columns.map((_, at) => at),
    y: names.map((_, at) => at),
    text: words,
    texttemplate: room > 44 ? "%{text}" : "",
    hovertemplate: "%{customdata}<extra></extra>",
    customdata: rows.map((row, r) =>
      words[r].map((word, c) => `${names[r]}, ${columns[c]}: ${word}`),
    ),
    zmin: shares ? 0 : Math.min(0, ...known),
    zmax: 1,
    colorscale: [
      [0, colour("--surface")],
      [1, colour("--accent-line")],
    ],
    textfont: { color: colour("--ink") },
    showscale: false,
    xgap: 1,
    ygap: 1,
  };
  const height = Math.max(160, 90 + names.length * Math.max(30, 8 + 14 * longest(names)));
  return [
    [trace],
    layout(height, {
      xaxis: { tickvals: trace.x, ticktext: columns, side: "top", showgrid: false },
      yaxis: { tickvals: trace.y, ticktext: names, autorange: "reversed", showgrid: false },
    }),
  ];
}

function longest(names) {
  return Math.max(...names.map((name) => name.split("<br>").length));
}

function curve(figure) {
  const rows = [...figure.querySelector("table").tBodies[0].rows];
  const column = (at) => rows.map((row) => Number.parseFloat(text(row.cells[at]).replace("> ", "")));
  const x = column(0);
  const line = (y, more) => ({ type: "scatter", mode: "lines", x, y, ...more });
  const accent = colour("--accent");
  const edge = { line: { width: 0 }, hoverinfo: "skip", showlegend: false };
  return [
    [
      line(column(2), edge),
      line(column(3), { ...edge, fill: "tonexty", fillcolor: colour("--accent-soft") }),
      line(column(1), {
        name: "Mean tau, with its 95% range",
        mode: "lines+markers",
        line: { color: accent, width: 2 },
        hovertemplate: "%{x} clips: tau %{y:.3f}<extra></extra>",
      }),
      line(
        column(4).map((share) => share / 100),
        {
          name: "Same first place",
          mode: "lines+markers",
          line: { color: colour("--reported"), width: 2, dash: "dot" },
          marker: { symbol: "square" },
          hovertemplate: "%{x} clips: same first place in %{y:.0%}<extra></extra>",
        },
      ),
    ],
    layout(360, {
      xaxis: { title: { text: "Clips" }, rangemode: "tozero" },
      yaxis: { range: [Math.min(0, ...column(2)), 1.02] },
      showlegend: true,
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    }),
  ];
}

const kinds = { heat, curve };

async function draw(figure) {
  const plot = figure.querySelector(".plot");
  try {
    const plotly = await fetchLibrary();
    plot.hidden = false;
    const [traces, arrangement] = kinds[figure.dataset.chart](figure);
    await plotly.react(plot, traces, arrangement, { displayModeBar: false, responsive: true });
    if (!drawn.has(figure)) figure.querySelector("details").open = false;
    drawn.add(figure);
    figure.dataset.drawn = "";
  } catch (error) {
    plot.hidden = true;
    console.warn("The chart could not be drawn; its table holds the numbers.", error);
  }
}

function watch() {
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((one) => one.isIntersecting)) {
        near.unobserve(entry.target);
        draw(entry.target);
      }
    },
    { rootMargin: "300px" },
  );
  for (const figure of figures) near.observe(figure);
}

if (figures.length) {
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const figure of drawn) draw(figure);
  });
}
