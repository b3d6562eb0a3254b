import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import type { Figure } from './figures.ts';
import { SETTINGS } from './postgres.ts';

const FILE = join(import.meta.dirname, '../RESULTS.md');

const mark = ({ met }: Figure): string => (met === undefined ? '' : met ? 'yes' : '**no**');

/** A figure's name without numbers that differ from run to run. */
const toStableName = ({ what }: Figure): string => what.replace(/ \(.*\)$/, '').replace(/\d{4,}/g, '');

/** A Markdown table, aligned for a terminal. The first row is its heading. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/**
 * The figures as a table.
 * @param earlier figures of another version of the portal from its own run, for a column; empty: no column
 */
export function showTable(figures: readonly Figure[], earlier: readonly Figure[]): string {
  const before = new Map(earlier.map((figure) => [toStableName(figure), figure.is]));
  const all = [
    ['Figure', 'Before', 'Value', 'Target', 'Met'],
    ...figures.map((figure) => [
      figure.what,
      before.get(toStableName(figure)) ?? '',
      figure.is,
      figure.target ?? '',
      mark(figure),
    ]),
  ];
  return formatTable(earlier.length > 0 ? all : all.map(([name = '', , ...rest]) => [name, ...rest]));
}

/** The parts of RESULTS.md that a command writes. The text around them is written by hand. */
type Section = 'questions' | 'builds' | 'faults';

function storeSection(section: Section, text: string): void {
  const [start, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const [before, rest = ''] = readFileSync(FILE, 'utf8').split(start);
  writeFileSync(FILE, `${before}${start}\n\n${text}\n\n${end}${rest.split(end)[1]}`);
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** Stores the figures of all questions of a full run in RESULTS.md, with a description of the machine. */
export function storeResults(
  figures: readonly Figure[],
  earlier: readonly Figure[],
  { schools, postgres }: Environment,
): void {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const settings = Object.entries(SETTINGS)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  const note = earlier.length > 0 ? '\n"Before" is another version, measured by the same bench in its own run.' : '';
  storeSection(
    'questions',
    `Written by \`npm run bench\` on ${today()}: ${schools} schools, ${schools * 400} pupils, ${schools * 4000} reading sessions.${note}

${showTable(figures, earlier)}

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GiB of memory, shared by load, portal and database.
Node ${process.versions.node}, ${postgres.version} with ${settings}; fsync and synchronous_commit on.`,
  );
}

/** Stores the table of a run of all faults in RESULTS.md. */
export const storeFaults = (table: string): void =>
  storeSection('faults', `Written by \`npm run chaos\` on ${today()}.\n\n${table}`);

/** Stores the table of a full comparison of two builds in RESULTS.md. */
export const storeComparisons = (table: string): void =>
  storeSection('builds', `Written by \`node bench/compare-builds.ts OTHER_TREE\` on ${today()}.\n\n${table}`);
