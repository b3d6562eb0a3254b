import { readFileSync } from 'node:fs';
import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { MAX_READING_PAGE } from '#contract/calls/programs.ts';
import { BATCH_SIZE } from '#contract/calls/reading-app.ts';
import { errorList } from '#contract/errors.ts';
import {
  DAYS_TO_CONFIRM_PROGRAM,
  MAX_PROGRAM_CLASSES,
  MAX_PROGRAM_DAYS,
  MAX_PROGRAMS,
  PROGRAM_RATE,
  PROGRAM_REMINDER_DAYS,
  PROGRAM_SCOPES,
  PROGRAM_TOKEN_PREFIX,
  SCOPE_TEXTS,
} from '#contract/programs.ts';
import { describe, expect, test } from 'vitest';

const page = readFileSync(new URL('../docs/programs.md', import.meta.url), 'utf8');
const table = (rows: readonly (readonly string[])[]): string => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
const calls = Object.values<Call>(api).filter(({ program }) => program !== undefined);

/** The part of the page between two comments. */
const partOf = (name: string): string | undefined =>
  new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)\\n?<!-- /${name} -->`).exec(page)?.[1]?.trim();

const printScopes = (): string =>
  table([
    ['scope', 'on screen', 'what it permits'],
    ['---', '---', '---'],
    ...PROGRAM_SCOPES.map((scope) => [`\`${scope}\``, SCOPE_TEXTS[scope].name, SCOPE_TEXTS[scope].summary]),
  ]);

const printCalls = (): string =>
  table([
    ['scope', 'call', 'what it does'],
    ['---', '---', '---'],
    ...[undefined, ...PROGRAM_SCOPES].flatMap((scope) =>
      calls
        .filter(({ program }) => program?.scope === scope)
        .map(({ method, path, summary, program }) => [
          scope ? `\`${scope}\`` : 'any',
          `\`${method} ${path}\`${program?.isWholeSchool ? ' (whole school)' : ''}`,
          summary,
        ]),
    ),
  ]);

const printLimits = (): string =>
  [
    `- ${PROGRAM_RATE.tries} calls of a program in ${PROGRAM_RATE.seconds / 60} minutes`,
    `- ${MAX_READING_PAGE.toLocaleString('en-GB')} sessions on a page of reading, 200 pupils on a page of pupils`,
    `- ${BATCH_SIZE} sessions and 8 MiB in a request that sends in reading`,
    `- ${MAX_PROGRAMS} programs of a school, each for at most ${MAX_PROGRAM_DAYS} days and limited to at most ${MAX_PROGRAM_CLASSES} classes`,
  ].join('\n');

describe('docs/programs.md', () => {
  test.each([
    ['scopes', printScopes],
    ['calls', printCalls],
    ['limits', printLimits],
  ])('lists the %s of programs that the contract has', (name, print) => {
    expect(partOf(name)).toBe(print());
  });

  test('states the prefix of tokens and the days of confirmation and reminder that the contract has', () => {
    expect(page).toContain(`It begins with \`${PROGRAM_TOKEN_PREFIX}\`.`);
    expect(page).toContain(`another admin has ${DAYS_TO_CONFIRM_PROGRAM} days to confirm the program`);
    expect(PROGRAM_REMINDER_DAYS).toBe(14);
    expect(page).toContain('two weeks before the last day of a token');
  });

  test('the errors of programs have the status and code that the page lists', () => {
    const listed = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`);
    const declared = (
      ['program_scope_missing', 'program_limited', 'not_for_programs', 'terms_not_accepted'] as const
    ).map((name) => `${errorList[name].status} ${errorList[name].code}`);
    expect(listed).toEqual(declared);
  });
});
