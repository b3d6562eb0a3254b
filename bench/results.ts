import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { SimulationEnvironment } from './database.ts';
import type { Figure } from './measure.ts';
import { SETTINGS } from './postgres.ts';

const mark = ({ met }: Figure): string => (met === undefined ? '' : met ? 'yes' : '**no**');

/** A figure's name without the numbers that differ from run to run. */
const nameOf = ({ what }: Figure): string => what.replace(/ \(.*\)$/, '').replace(/\d{4,}/g, '');

/**
 * The figures as a Markdown table, aligned for a terminal.
 * @param earlier figures of another version of the portal, taken in a run of its own; none for no such column
 */
export function showTable(figures: readonly Figure[], earlier: readonly Figure[]): string {
  const before = new Map(earlier.map((figure) => [nameOf(figure), figure.is]));
  const all = [
    ['Figure', 'Before', 'Is', 'Target', 'Met'],
    ...figures.map((figure) => [
      figure.what,
      before.get(nameOf(figure)) ?? '',
      figure.is,
      figure.target ?? '',
      mark(figure),
    ]),
  ];
  const rows = earlier.length > 0 ? all : all.map(([name = '', , ...rest]) => [name, ...rest]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** Writes the table into RESULTS.md with what it was taken on. */
export function storeResults(
  figures: readonly Figure[],
  earlier: readonly Figure[],
  world: SimulationEnvironment,
): void {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const settings = Object.entries(SETTINGS)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  writeFileSync(
    join(import.meta.dirname, 'RESULTS.md'),
    `# Figures

Taken by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${world.schools} schools, ${world.schools * 400} pupils, ${world.schools * 4000} reading sessions.
Each is the median of 5 rounds; the portal and what it is held against took turns in one run.
"Bare" is a Fastify route that sends one prepared statement and does nothing else: the least SQL that finds the same answer, written by hand in \`contenders.ts\`. "The least" is that SQL alone.
Processor time is that of the portal's own process, of the bare route's, or of the one backend of PostgreSQL; it holds where load, portal, database and other work share the cores.${earlier.length > 0 ? '\n"Before" is the portal as it was before, measured by the same bench in a run of its own.' : ''}

${showTable(figures, earlier)}

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GiB of memory, shared by load, portal and database.
Node ${process.versions.node}, ${world.postgres.version} with ${settings}; fsync and synchronous_commit on.
`,
  );
}
