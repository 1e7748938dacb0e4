// Draws what stands in a figure's table. The table is there first and stays; plotly is fetched only
// once the page has loaded and a figure comes near the window.
const root = document.querySelector("[data-plotly]");
const seen = new Set();
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

// A panel of bars for each column of the table, a bar for each system. Chance is a dotted line, a
// row of people or of chance from a paper a dashed one.
const MOST_BARS = 15;

function multiples(figure) {
  const table = figure.querySelector("table");
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const rows = [...table.tBodies[0].rows].filter((row) => row.dataset.skip === undefined);
  const bars = rows.filter((row) => row.dataset.line === undefined).slice(0, MOST_BARS);
  const lines = rows.filter((row) => row.dataset.line !== undefined);
  const name = (row) => text(row.cells[0]).split("\n")[0];
  const across = Math.max(1, Math.min(4, heads.length, Math.floor(figure.clientWidth / 230)));
  const places = bars.map((_, index) => index);
  const mark = (at, x, dash, words) => ({
    type: "line",
    x0: x,
    x1: x,
    y0: 0,
    y1: 1,
    xref: `x${at ? at + 1 : ""}`,
    yref: `y${at ? at + 1 : ""} domain`,
    line: { color: colour("--ink-soft"), width: 1.5, dash },
    label: { text: words, textangle: 0, textposition: "end", font: { size: 10 } },
  });
  const marks = (head, at) => [
    ...(head.dataset.chance ? [mark(at, Number(head.dataset.chance), "dot", "")] : []),
    ...lines
      .filter((row) => number(row.cells[at + 1]) !== null)
      .map((row) => mark(at, number(row.cells[at + 1]), "dash", name(row))),
  ];
  return panels(heads, across, 70 + 30 * Math.max(2, bars.length), {
    trace: (at) => ({
      type: "bar",
      orientation: "h",
      x: bars.map((row) => number(row.cells[at + 1])),
      y: places,
      width: 0.65,
      customdata: bars.map(name),
      hovertemplate: "%{customdata}: %{x:.1%}<extra></extra>",
    }),
    x: () => ({ range: [0, lines.length ? 1.1 : 1], tickformat: ".0%", tickvals: [0, 0.5, 1] }),
    y: (at) => ({
      autorange: "reversed",
      showgrid: false,
      tickvals: places,
      ticktext: bars.map((row) => broken(name(row))),
      showticklabels: at % across === 0,
    }),
    shapes: heads.flatMap(marks),
    raised: lines.length ? 14 : 0,
  });
}

// A panel of standing bars for each column: the share of clips in each bin of the first column.
function histogram(figure) {
  const table = figure.querySelector("table");
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const rows = [...table.tBodies[0].rows];
  const across = figure.clientWidth > 560 ? 2 : 1;
  const bins = rows.map((row) => text(row.cells[0]));
  const highest = Math.max(...rows.flatMap((row) => [...row.cells].slice(1).map(number)));
  return panels(heads, across, 190, {
    trace: (at) => ({
      type: "bar",
      x: bins.map((_, bin) => (bin + 0.5) / bins.length),
      y: rows.map((row) => number(row.cells[at + 1])),
      width: 0.92 / bins.length,
      customdata: bins,
      hovertemplate: "%{customdata}: %{y:.0%} of clips<extra></extra>",
    }),
    x: () => ({ range: [0, 1], tickvals: [0, 0.5, 1], showgrid: false }),
    y: () => ({ range: [0, highest * 1.05], tickformat: ".0%", nticks: 4 }),
  });
}

// A panel for each column after the first number: each system a point, the first number across.
function scatter(figure) {
  const table = figure.querySelector("table");
  const [first, ...heads] = [...table.tHead.rows[0].cells].slice(1);
  const rows = [...table.tBodies[0].rows];
  const across = Math.max(1, Math.min(3, heads.length, Math.floor(figure.clientWidth / 260)));
  return panels(heads, across, 240, {
    trace: (at) => ({
      type: "scatter",
      mode: "markers",
      x: rows.map((row) => number(row.cells[1])),
      y: rows.map((row) => number(row.cells[at + 2])),
      customdata: rows.map((row) => text(row.cells[0])),
      hovertemplate: "%{customdata}: %{x:.3f}, %{y:.3f}<extra></extra>",
    }),
    x: (at) => ({
      nticks: 4,
      title: at >= heads.length - across ? { text: text(first), font: { size: 11 } } : undefined,
    }),
    y: () => ({ nticks: 4 }),
  });
}

// Two systems against each other: each row of the table a point, equal scores on the dotted line.
function versus(figure) {
  const table = figure.querySelector("table");
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  const [across, up] = [Number(figure.dataset.x), Number(figure.dataset.y)];
  const column = (at) => rows.map((row) => Number.parseFloat(text(row.cells[at])));
  const [x, y] = [column(across), column(up)];
  const [low, high] = [Math.min(...x, ...y), Math.max(...x, ...y)];
  const range = [low - 0.04 * (high - low || 1), high + 0.04 * (high - low || 1)];
  const trace = {
    type: "scatter",
    mode: "markers",
    x,
    y,
    customdata: rows.map((row) => text(row.cells[0])),
    hovertemplate: "%{customdata}: %{x:.4f}, %{y:.4f}<extra></extra>",
    marker: { size: 8, color: colour("--accent-line"), line: { color: colour("--accent"), width: 1 } },
  };
  const ends = { x0: range[0], y0: range[0], x1: range[1], y1: range[1] };
  const dotted = { color: colour("--ink-soft"), width: 1, dash: "dot" };
  return [
    [trace],
    layout(Math.max(280, Math.min(520, figure.clientWidth * 0.8)), {
      hovermode: "closest",
      shapes: [{ type: "line", ...ends, line: dotted, layer: "below" }],
      xaxis: { range, title: { text: text(heads[across]) } },
      yaxis: { range, title: { text: text(heads[up]) } },
    }),
  ];
}

// A box for each row: lowest, quartiles, highest.
const MOST_BOXES = 30;

function boxes(figure) {
  const rows = [...figure.querySelector("table").tBodies[0].rows].slice(0, MOST_BOXES);
  const column = (at) => rows.map((row) => Number.parseFloat(text(row.cells[at])));
  const names = rows.map((row) => broken(text(row.cells[0])));
  const places = names.map((_, at) => at);
  const trace = {
    type: "box",
    orientation: "h",
    y: places,
    lowerfence: column(1),
    q1: column(2),
    median: column(3),
    q3: column(4),
    upperfence: column(5),
    fillcolor: colour("--accent-soft"),
    line: { color: colour("--accent"), width: 1.5 },
    hoverinfo: "x",
  };
  return [
    [trace],
    layout(70 + 34 * Math.max(2, names.length), {
      yaxis: { tickvals: places, ticktext: names, autorange: "reversed", showgrid: false },
    }),
  ];
}

// Points that are coloured by the last column, from the lowest to the highest. A scale drawn beside
// them would bring a style of its own, which the policy refuses; the caption says what the ends are.
function map(figure) {
  const rows = [...figure.querySelector("table").tBodies[0].rows];
  const column = (at) => rows.map((row) => Number.parseFloat(text(row.cells[at])));
  const bare = { showticklabels: false, showgrid: false };
  const trace = {
    type: "scatter",
    mode: "markers",
    x: column(1),
    y: column(2),
    customdata: rows.map((row) => [text(row.cells[0]), text(row.cells[3])]),
    hovertemplate: "%{customdata[0]}: %{customdata[1]}<extra></extra>",
    marker: {
      size: 11,
      color: column(3),
      colorscale: [
        [0, colour("--warning")],
        [0.5, colour("--raised")],
        [1, colour("--accent")],
      ],
      line: { color: colour("--ink-soft"), width: 1 },
      showscale: false,
    },
  };
  return [[trace], layout(440, { hovermode: "closest", xaxis: bare, yaxis: bare })];
}

// Each row a point at its time, and the best until then as a stair.
function steps(figure) {
  const rows = [...figure.querySelector("table").tBodies[0].rows];
  const x = rows.map((row) => row.cells[1].dataset.value);
  const names = rows.map((row) => text(row.cells[0]));
  const best = {
    type: "scatter",
    mode: "lines",
    x,
    y: rows.map((row) => number(row.cells[3])),
    line: { shape: "hv", color: colour("--accent"), width: 2 },
    hoverinfo: "skip",
  };
  const each = {
    type: "scatter",
    mode: "markers",
    x,
    y: rows.map((row) => number(row.cells[2])),
    customdata: names,
    hovertemplate: "%{customdata}: %{y:.4f}<extra></extra>",
    marker: { size: 8, color: colour("--accent-line"), line: { color: colour("--accent"), width: 1 } },
  };
  return [[best, each], layout(320, { hovermode: "closest", xaxis: { type: "date", nticks: 6 } })];
}

// Small drawings side by side, each under the title of its column.
function panels(heads, across, high, { trace, x, y, shapes = [], raised = 0 }) {
  const down = Math.ceil(heads.length / across);
  const axis = { automargin: true, gridcolor: colour("--line"), zeroline: false, fixedrange: true };
  const axes = {};
  const annotations = [];
  const bars = { color: colour("--accent-line"), line: { color: colour("--accent"), width: 1 } };
  const traces = heads.map((head, at) => {
    const nth = at ? at + 1 : "";
    axes[`xaxis${nth}`] = { ...axis, ...x(at) };
    axes[`yaxis${nth}`] = { ...axis, ...y(at) };
    annotations.push({
      text: text(head).replace(/\s+/g, " "),
      showarrow: false,
      x: 0,
      y: 1,
      xanchor: "left",
      yanchor: "bottom",
      xref: `x${nth} domain`,
      yref: `y${nth} domain`,
      yshift: raised,
    });
    return { ...trace(at), xaxis: `x${nth}`, yaxis: `y${nth}`, marker: bars };
  });
  return [
    traces,
    layout(down * high + 40, {
      grid: { rows: down, columns: across, pattern: "independent", xgap: 0.14, ygap: Math.min(0.4, 60 / high) },
      margin: { t: 26 + raised, r: 12, b: 8, l: 8 },
      ...axes,
      shapes,
      annotations,
    }),
  ];
}

const kinds = { heat, curve, multiples, histogram, scatter, versus, boxes, map, steps };

async function draw(figure) {
  const plot = figure.querySelector(".plot");
  try {
    const plotly = await fetchLibrary();
    plot.hidden = false;
    const [traces, arrangement] = kinds[figure.dataset.chart](figure);
    await plotly.react(plot, traces, arrangement, { displayModeBar: false, responsive: true });
    if (!drawn.has(figure)) {
      figure.querySelector("details").open = false;
      if (figure.dataset.opens !== undefined) plot.on("plotly_click", (event) => open(figure, event));
    }
    drawn.add(figure);
    figure.dataset.drawn = "";
  } catch (error) {
    plot.hidden = true;
    console.warn("The chart could not be drawn; its table holds the numbers.", error);
  }
}

// A point leads where its row leads.
function open(figure, event) {
  const row = figure.querySelector("table").tBodies[0].rows[event.points[0].pointIndex];
  row.querySelector("a")?.click();
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
  const look = () => {
    for (const figure of root.querySelectorAll("figure[data-chart]")) {
      if (seen.has(figure)) continue;
      seen.add(figure);
      near.observe(figure);
    }
  };
  look();
  // A part of the page that has come anew has figures of its own.
  document.addEventListener("htmx:afterSettle", look);
}

if (root) {
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const figure of drawn) if (figure.isConnected) draw(figure);
  });
}
