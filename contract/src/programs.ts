/**
 * What a program of a school can do with its token. Every call that is open to programs declares one of them; all others
 * are closed, above all those about accounts, roles, money, exports and erasure. docs/programs.md
 */
export const PROGRAM_SCOPES = ['read_pupils', 'read_reading', 'write_pupils', 'books', 'intake'] as const;
export type ProgramScope = (typeof PROGRAM_SCOPES)[number];

/** A scope with its name on screen, and what it permits. */
export const SCOPE_TEXTS: Readonly<Record<ProgramScope, { name: string; summary: string }>> = {
  read_pupils: {
    name: 'See pupils and classes',
    summary: 'Names, usernames, classes, year groups and the last reading.',
  },
  read_reading: {
    name: 'See reading',
    summary: 'Reading sessions, daily totals and the figures of classes and pupils. No notes, tags or words.',
  },
  write_pupils: {
    name: 'Change pupils and classes',
    summary: 'Add, rename, move, archive and restore pupils, set their year groups, and add and rename classes.',
  },
  books: { name: 'Assign books', summary: 'See the library, and assign and remove books of classes and pupils.' },
  intake: { name: 'Send in reading', summary: 'Store reading sessions of pupils from another reading app.' },
};

/** Programs of a school that have not ended. */
export const MAX_PROGRAMS = 20;
/** Classes to which a program can be limited. */
export const MAX_PROGRAM_CLASSES = 50;
/** The longest life of a token, in days. */
export const MAX_PROGRAM_DAYS = 365;
/** How long a program works after the admin who answers for it stops being one, unless another confirms it. */
export const DAYS_TO_CONFIRM_PROGRAM = 14;
/** How long before its end the admins get an email. */
export const PROGRAM_REMINDER_DAYS = 14;
/** How long a program that has ended is still listed. */
export const DAYS_LISTED_AFTER_END = 30;
/** How often a program can call: this many times in a window of seconds. */
export const PROGRAM_RATE = { tries: 600, seconds: 300 } as const;

/** Why a program ended. */
export const PROGRAM_ENDS = ['revoked', 'expired', 'not_confirmed', 'school_closed'] as const;
export type ProgramEnd = (typeof PROGRAM_ENDS)[number];

/** Tokens of programs begin with this, so that they are recognised in code that was published by mistake. */
export const PROGRAM_TOKEN_PREFIX = 'portal_program_';
