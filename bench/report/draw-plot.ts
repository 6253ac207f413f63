import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as echarts from 'echarts';
import { RESULTS } from '../paths.ts';

export type Plot = echarts.EChartsCoreOption;

const WIDTH = 820;
const HEIGHT = 420;
/** Fixed colours, so that the plots look the same on light and dark pages. */
const [PAPER, INK, GRID] = ['#ffffff', '#1f2933', '#d9dee5'];
/** The colours also differ in lightness, for people who cannot distinguish the hues. */
export const COLOURS = {
  ceiling: '#8a94a3',
  usual: '#d97706',
  query: '#94a3b8',
  cached: '#0f766e',
  uncached: '#2563eb',
  postgres: '#7c3aed',
  /** The same servers on PostgreSQL, in lighter shades. */
  postgresBars: { ceiling: '#c4cad3', usual: '#f0b45c', query: '#cbd5e1', cached: '#5eead4', uncached: '#93c5fd' },
  /** One for every size. */
  sizes: ['#93c5fd', '#2563eb', '#1e3a8a'],
} as const;
// No quoted font names: echarts writes them into an attribute without escaping.
const FONT = 'system-ui, sans-serif';

export function frame(title: string, colours: readonly string[]) {
  return {
    animation: false,
    backgroundColor: PAPER,
    color: [...colours],
    textStyle: { fontFamily: FONT },
    title: { text: title, left: 20, top: 14, textStyle: { color: INK, fontSize: 16, fontFamily: FONT } },
    legend: { top: 46, left: 20, itemGap: 24, textStyle: { color: INK, fontFamily: FONT } },
    grid: { left: 70, right: 40, top: 110, bottom: 60 },
  };
}

export function axis(settings: object) {
  return {
    nameTextStyle: { color: INK, fontFamily: FONT },
    axisLabel: { color: INK, fontFamily: FONT },
    axisLine: { lineStyle: { color: INK } },
    splitLine: { lineStyle: { color: GRID } },
    ...settings,
  };
}

export function labels(settings: object = {}) {
  return { show: true, position: 'top', color: INK, fontFamily: FONT, ...settings };
}

export function digits(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(2));
}

/** Writes a plot to the folder of results. */
export function draw(name: string, plot: Plot, size = {}): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, name), renderPlot(plot, size));
}

/** The plot as SVG. */
export function renderPlot(plot: Plot, { height = HEIGHT } = {}): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  chart.setOption(plot);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
