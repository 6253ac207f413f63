import { axis, COLOURS, frame, type Plot, renderPlot } from '../../bench/report/draw-plot.ts';
import type { Sample } from './samples.ts';
import type { SoakResult } from './soak.ts';

const HEIGHT = 1120;
const PANEL_HEIGHT = 170;
const PANEL_GAP = 80;
/** Below a legend of two lines. */
const TOP = 140;

interface Line {
  name: string;
  value(sample: Sample): number;
}

interface Panel {
  title: string;
  lines: Line[];
}

const most = (values: number[]) => Math.max(0, ...values);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

const PANELS: Panel[] = [
  {
    title: 'resident memory, MB',
    lines: [
      { name: 'largest process', value: ({ processes }) => most(processes.map(({ residentMb }) => residentMb)) },
      { name: 'all processes', value: ({ processes }) => sum(processes.map(({ residentMb }) => residentMb)) },
    ],
  },
  {
    title: 'open handles and threads of all processes',
    lines: [
      { name: 'handles', value: ({ processes }) => sum(processes.map(({ handles }) => handles)) },
      { name: 'threads', value: ({ processes }) => sum(processes.map(({ threads }) => threads)) },
    ],
  },
  {
    title: 'database and write-ahead log, MB',
    lines: [
      { name: 'database', value: ({ storage }) => storage.databaseMb },
      { name: 'write-ahead log', value: ({ storage }) => storage.logMb },
    ],
  },
  {
    title: 'response time, ms',
    lines: [
      { name: 'median', value: ({ p50Ms }) => p50Ms },
      { name: '99th percentile', value: ({ p99Ms }) => p99Ms },
    ],
  },
];

/** Draws the figures of every minute, one above the other. */
export function drawSoak({ engine, samples, minutes }: SoakResult): string {
  const title = `${engine === 'sqlite' ? 'Two workers on SQLite' : 'Two nodes on PostgreSQL'}, ${minutes} minutes`;
  const panels = PANELS.entries().toArray();
  const plot: Plot = {
    ...frame(title, [COLOURS.uncached, COLOURS.usual]),
    grid: panels.map(([index]) => ({ left: 70, right: 40, top: topOf(index), height: PANEL_HEIGHT })),
    xAxis: panels.map(([index]) =>
      axis({ type: 'category', gridIndex: index, data: samples.map(({ minute }) => String(minute)) }),
    ),
    yAxis: panels.map(([index, { title: name }]) =>
      axis({ type: 'value', gridIndex: index, name, min: 0, nameTextStyle: { align: 'left' } }),
    ),
    legend: { ...frame(title, []).legend, show: true },
    series: panels.flatMap(([index, { lines }]) =>
      lines.map(({ name, value }, number) => ({
        name,
        type: 'line',
        xAxisIndex: index,
        yAxisIndex: index,
        showSymbol: false,
        lineStyle: { width: 2 },
        itemStyle: { color: number === 0 ? COLOURS.uncached : COLOURS.usual },
        data: samples.map(value),
      })),
    ),
  };
  return renderPlot(plot, { height: HEIGHT });
}

function topOf(panel: number): number {
  return TOP + panel * (PANEL_HEIGHT + PANEL_GAP);
}
