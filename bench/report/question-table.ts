import { ENGINE_TITLES, type EngineName } from '../engines.ts';
import { TEN_THOUSAND } from '../options.ts';
import { formatCount, formatTable, short } from './format.ts';
import { GROWTH_LIMIT, growthOf, toPlain } from './question-targets.ts';
import type { QuestionResult, Results } from './results.ts';

/** The median time of every question at every size, relative to a plain random page, and whether the goals are met. */
export function questionTable({ questions }: Results, engine: EngineName): string {
  const ours = questions.filter((each) => each.engine === engine);
  const sizes = [...new Set(ours.map(({ clients }) => clients))].sort((a, b) => a - b);
  const names = [...new Set(ours.map(({ question }) => question))];
  const largest = sizes.at(-1) ?? 0;
  const lines = names.map((name) => {
    const found = ours.filter(({ question }) => question === name);
    return [
      name,
      ...sizes.map((size) => timeAndRatio(found.find(({ clients }) => clients === size))),
      plainCell(found),
      ...(largest > TEN_THOUSAND
        ? [
            growthCell(
              found,
              found.find(({ clients }) => clients === largest),
            ),
          ]
        : []),
    ];
  });
  const header = [
    '',
    ...sizes.map(formatCount),
    'to a plain random page',
    ...(largest > TEN_THOUSAND ? [`${formatCount(largest)} ÷ 10 thousand, at most ${GROWTH_LIMIT} ×`] : []),
  ];
  const title = `${ENGINE_TITLES[engine]}, any combination of filters: median of a random page, ms (to a plain random page), one at a time, no page cache`;
  return `${title}\n${formatTable(header, lines)}`;
}

function timeAndRatio(result: QuestionResult | undefined): string {
  return result ? `${short(result.p50Ms)} (${toPlain(result).toFixed(2)} ×)` : '';
}

/** Whether it reaches its goal at every size. */
function plainCell(found: QuestionResult[]): string {
  const goal = found[0]?.atMost;
  return goal === undefined ? '' : `at most ${goal} × ${verdict(found.map(toPlain), goal)}`;
}

function verdict(ratios: number[], limit: number): string {
  return Math.max(...ratios) <= limit ? 'met' : 'NOT MET';
}

function growthCell(all: QuestionResult[], result: QuestionResult | undefined): string {
  const growth = result && growthOf(all, result);
  return growth === undefined ? '' : `${growth.toFixed(2)} × ${verdict([growth], GROWTH_LIMIT)}`;
}
