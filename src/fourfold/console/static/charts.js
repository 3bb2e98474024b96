// Draws the charts of a tool's page. Without it the table below them has the same numbers.
"use strict";

const HEIGHT = 220;
const DAYS = [1, 2, 3, 7, 14, 28, 91];
const DASHES = [[], [6, 4]];

function day(seconds) {
  return new Date(seconds * 1e3).toISOString().slice(0, 10);
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// A line at the first day of a version, with its name, so that a change of the numbers can be laid at its door.
function marked(marks) {
  return (plot) => {
    const { ctx, bbox } = plot;
    const ratio = devicePixelRatio || 1;
    ctx.save();
    ctx.strokeStyle = colour("--wait");
    ctx.fillStyle = colour("--wait");
    ctx.font = `${12 * ratio}px system-ui, sans-serif`;
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    for (const mark of marks) {
      const x = Math.round(plot.valToPos(mark.at, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      const half = ctx.measureText(mark.label).width / 2;
      ctx.textAlign = "left";
      ctx.fillText(mark.label, Math.min(x - half, bbox.left + bbox.width - 2 * half), bbox.top - 8 * ratio);
    }
    ctx.restore();
  };
}

function series(line, index, unit) {
  return {
    label: index === 0 ? line.label : `${line.label} (dashed)`,
    stroke: () => colour(index === 0 ? "--accent" : "--bad"),
    dash: DASHES[index % 2],
    width: 2,
    points: { size: 5 },
    value: (_, value) => (value === null || value === undefined ? "–" : `${value.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`),
  };
}

function axis(more) {
  return { stroke: () => colour("--soft-ink"), grid: { stroke: () => colour("--line"), width: 1 }, ticks: { stroke: () => colour("--line"), width: 1 }, ...more };
}

function draw(figure) {
  const chart = JSON.parse(figure.dataset.chart);
  const lines = chart.series.map((line, index) => series(line, index, chart.unit));
  const utc = (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC");
  figure.hidden = false;
  return new uPlot(
    {
      width: figure.clientWidth,
      height: HEIGHT,
      tzDate: utc,
      padding: [20, 24, 0, 0],
      cursor: { y: false },
      scales: { y: { range: (_, low, high) => (chart.unit === "%" ? [0, 100] : [0, (high || 1) * 1.15]) } },
      series: [{ label: "day", value: (_, at) => (at ? day(at) : "–") }, ...lines],
      axes: [axis({ incrs: DAYS.map((days) => days * 86400), values: (_, ticks) => ticks.map((tick) => day(tick).slice(5)) }), axis({ size: 64, values: (_, ticks) => ticks.map((tick) => `${tick.toLocaleString("en")} ${chart.unit}`) })],
      hooks: { drawAxes: [marked(chart.marks)] },
    },
    [chart.times, ...chart.series.map((line) => line.values)],
    figure,
  );
}

const charts = [...document.querySelectorAll("[data-chart]")].map((figure) => [figure, draw(figure)]);
const sized = new ResizeObserver(() => {
  for (const [figure, plot] of charts) plot.setSize({ width: figure.clientWidth, height: HEIGHT });
});
for (const [figure] of charts) sized.observe(figure);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const [, plot] of charts) plot.redraw();
});
