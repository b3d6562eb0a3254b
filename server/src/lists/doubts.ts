import { parseYearGroup } from '#contract/year-group.ts';
import { classOfDate, isWrittenAsClass, looseClassKey } from './class-names.ts';
import type { ListKnowledge } from './columns.ts';
import { toWords } from './header-words.ts';
import { startsWithFirstName } from './names.ts';
import { type Entry, yearAsClass } from './read-list.ts';

/** A guess about a list, as a question with the answer that was assumed. */
export interface Doubt {
  /** The same for the same guess about the same list. */
  id: string;
  question: string;
  /** The list cannot be added before it is answered. */
  isStrong: boolean;
  choices: { value: string; label: string }[];
  /** What the user has chosen, or else what was assumed. */
  answer: string;
  isAnswered: boolean;
}

export type Answers = Readonly<Record<string, string>>;

interface Outcome {
  entries: Entry[];
  doubts: Doubt[];
}

/** A step that changes entries by a guess, which it turns into a question. */
type Step = (entries: Entry[], answers: Answers, knowledge: ListKnowledge) => Outcome;

/** At most this many questions of one kind are guess one by one. */
const MAX_OF_A_KIND = 20;
/** A list with fewer pupils says little. */
const FEW = 4;

const number = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
const listed = (texts: readonly string[]) =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Builds a doubt, with the answer of the user if it is one of the choices. */
export function doubt(
  answers: Answers,
  { id, question, isStrong, choices, assumed }: Omit<Doubt, 'answer' | 'isAnswered'> & { assumed: string },
): Doubt {
  const given = answers[id];
  const isAnswered = given !== undefined && choices.some(({ value }) => value === given);
  return { id, question, isStrong, choices, answer: isAnswered ? given : assumed, isAnswered };
}

const classesOf = (entries: readonly Entry[]) =>
  Map.groupBy(
    entries.filter((entry) => entry.class !== ''),
    (entry) => entry.class,
  );

const renamed = (entries: readonly Entry[], names: ReadonlyMap<string, string>): Entry[] =>
  entries.map((entry) => ({ ...entry, class: names.get(entry.class) ?? entry.class }));

/** Classes of two years that a spreadsheet program has made dates of. */
const datesAsClasses: Step = (entries, answers, { isClass }) => {
  const doubts: Doubt[] = [];
  const names = new Map<string, string>();
  for (const [text, members] of classesOf(entries)) {
    const meant = classOfDate(text);
    if (meant === null || isClass(text) || doubts.length === MAX_OF_A_KIND) continue;
    const added = doubt(answers, {
      id: `date:${text}`,
      question: `“${text}” is the class of ${number(members.length, 'pupil')}. Has a spreadsheet program made a date of ${meant}?`,
      isStrong: true,
      choices: [
        { value: 'class', label: `Yes, the class is ${meant}` },
        { value: 'text', label: `No, the class is ${text}` },
      ],
      assumed: 'class',
    });
    doubts.push(added);
    if (added.answer === 'class') names.set(text, meant);
  }
  return { entries: renamed(entries, names), doubts };
};

const SEVERAL = /\s*(?:;|\||\n| \/ |,\s)\s*/;
/** Signs between two classes that are in the names of classes too. */
const ALSO_IN_NAMES = /^[^;|\n]*$/;

/** Two classes in one cell: `Oak;Phonics Set 2`. */
const severalClasses: Step = (entries, answers, { isClass }) => {
  const classes = classesOf(entries);
  const isTwo = (text: string) =>
    SEVERAL.test(text) &&
    !isClass(text) &&
    (!ALSO_IN_NAMES.test(text) || text.split(SEVERAL).some((part) => classes.has(part) || isClass(part)));
  const several = [...classes].filter(([text]) => isTwo(text));
  const [first] = several;
  if (!first) return { entries, doubts: [] };
  const parts = first[0].split(SEVERAL);
  const known = parts.findIndex(isClass);
  const guess = doubt(answers, {
    id: 'several',
    question: `${number(
      several.reduce((sum, [, members]) => sum + members.length, 0),
      'pupil has',
      'pupils have',
    )} more than one class, such as “${first[0]}”. Which is the class?`,
    isStrong: true,
    choices: [
      ...parts.map((part, index) => ({ value: String(index), label: part })),
      { value: 'whole', label: `All of it: ${first[0]}` },
    ],
    assumed: String(Math.max(0, known)),
  });
  const names = new Map(
    guess.answer === 'whole'
      ? []
      : several.map(([text]) => [text, text.split(SEVERAL)[Number(guess.answer)] ?? text] as const),
  );
  return { entries: renamed(entries, names), doubts: [guess] };
};

/** A class of one or two letters in several years, such as Year 3 and A: the class is 3A. */
const lettersInYears: Step = (entries, answers, { isClass }) => {
  const short = [...classesOf(entries)].filter(([text]) => /^\p{L}{1,2}$/u.test(text) && !isClass(text));
  const yearsOf = (members: readonly Entry[]) =>
    new Set(members.map(({ year }) => parseYearGroup(year)).filter(Boolean));
  const repeated = short.filter(([, members]) => yearsOf(members).size > 1);
  const [first] = repeated;
  if (!first) return { entries, doubts: [] };
  const letters = new Set(short.map(([text]) => text));
  const nameOf = ({ class: text, year }: Entry) => {
    const code = parseYearGroup(year);
    return code === null ? text : `${code}${text}`;
  };
  const guess = doubt(answers, {
    id: 'letters',
    question: `“${first[0]}” is the class of pupils in ${number(yearsOf(first[1]).size, 'year')}. Is the class ${[...new Set(first[1].map(nameOf))].slice(0, 3).join(', ')}?`,
    isStrong: false,
    choices: [
      { value: 'year', label: 'Yes, put the year before it' },
      { value: 'text', label: `No, “${first[0]}” is one class` },
    ],
    assumed: 'year',
  });
  if (guess.answer !== 'year') return { entries, doubts: [guess] };
  return {
    entries: entries.map((entry) => (letters.has(entry.class) ? { ...entry, class: nameOf(entry) } : entry)),
    doubts: [guess],
  };
};

/** Classes that differ only in how they are written: `3 Oak` and `3Oak`, or `Rec`, `YR` and `Reception`. */
const sameClasses: Step = (entries, answers, { isClass }) => {
  const all = [...classesOf(entries)].map(([text, members]) => ({ text, size: members.length }));
  const keyOf = (text: string) => looseClassKey(yearAsClass(text));
  const doubts: Doubt[] = [];
  const names = new Map<string, string>();
  for (const [key, spellings] of Map.groupBy(all, ({ text }) => keyOf(text))) {
    const differ = new Set(spellings.map(({ text }) => text.toLowerCase().replace(/\s+/g, ' '))).size > 1;
    if (key === '' || !differ || doubts.length === MAX_OF_A_KIND) continue;
    const ranked = spellings.toSorted((a, b) => Number(isClass(b.text)) - Number(isClass(a.text)) || b.size - a.size);
    const year = yearAsClass(ranked[0]?.text ?? '');
    const isYear = ranked.every(({ text }) => parseYearGroup(text) !== null);
    const kept = isYear && !isClass(ranked[0]?.text ?? '') ? year : (ranked[0]?.text ?? '');
    const guess = doubt(answers, {
      id: `same:${key}`,
      question: `Are ${listed(spellings.slice(0, 6).map(({ text }) => `“${text}”`))} one class?`,
      isStrong: false,
      choices: [
        { value: 'one', label: `Yes, ${kept}` },
        { value: 'several', label: `No, they are ${number(spellings.length, 'class', 'classes')}` },
      ],
      assumed: 'one',
    });
    doubts.push(guess);
    if (guess.answer === 'one') for (const { text } of spellings) names.set(text, kept);
  }
  return { entries: renamed(entries, names), doubts };
};

/** About as many new classes as pupils: the column is probably not the class. */
const manyClasses: Step = (entries, answers, { isClass }) => {
  const inClass = entries.filter((entry) => entry.class !== '' && entry.classFrom === 'column');
  const fresh = [...classesOf(inClass).keys()].filter((text) => !isClass(text) && !isWrittenAsClass(text));
  if (inClass.length < FEW || fresh.length < FEW || fresh.length < inClass.length / 2) return { entries, doubts: [] };
  const isFirstName = fresh.filter(startsWithFirstName).length > fresh.length / 3;
  const guess = doubt(answers, {
    id: 'many',
    question: `${number(fresh.length, 'new class', 'new classes')} for ${number(inClass.length, 'pupil')}, such as “${fresh[0]}”. What is this column?`,
    isStrong: true,
    choices: [
      { value: 'class', label: 'The class' },
      { value: 'first_name', label: 'The first name' },
      { value: 'none', label: 'Something else: leave it out' },
    ],
    assumed: isFirstName ? 'first_name' : 'none',
  });
  const change = (entry: Entry): Entry => {
    if (entry.class === '' || entry.classFrom !== 'column' || guess.answer === 'class') return entry;
    const name = guess.answer === 'first_name' ? `${entry.class} ${entry.name}` : entry.name;
    return { ...entry, name, class: '', classFrom: 'none' };
  };
  return { entries: entries.map(change), doubts: [guess] };
};

/** Many children twice, each in two classes. */
const twice: Step = (entries, answers) => {
  const byName = Map.groupBy(entries, ({ name, birthDate }) => `${toWords(name)} ${birthDate}`);
  const repeated = [...byName.values()].filter(
    (members) => members.length > 1 && new Set(members.map((entry) => toWords(entry.class))).size > 1,
  );
  if (repeated.length < 3 || repeated.length < byName.size * 0.2) return { entries, doubts: [] };
  const [first, second] = repeated[0] ?? [];
  const guess = doubt(answers, {
    id: 'twice',
    question: `${number(repeated.length, 'child is', 'children are')} in this list in two classes, such as ${first?.name} in ${listed([first, second].map((entry) => `“${entry?.class || 'no class'}”`))}. Count them once?`,
    isStrong: true,
    choices: [
      { value: 'first', label: 'Once, with the class that comes first' },
      { value: 'last', label: 'Once, with the class that comes last' },
      { value: 'all', label: 'They are different children with the same names' },
    ],
    assumed: 'first',
  });
  if (guess.answer === 'all') return { entries, doubts: [guess] };
  const kept = new Set([...byName.values()].map((members) => (guess.answer === 'first' ? members[0] : members.at(-1))));
  return { entries: entries.filter((entry) => kept.has(entry)), doubts: [guess] };
};

const STEPS: readonly Step[] = [manyClasses, datesAsClasses, severalClasses, lettersInYears, sameClasses, twice];

/** What the guesses make of a list’s entries, and a question for each guess, those that must be answered first. */
export function settleDoubts(entries: Entry[], answers: Answers, knowledge: ListKnowledge): Outcome {
  let current = entries;
  const doubts: Doubt[] = [];
  for (const step of STEPS) {
    const outcome = step(current, answers, knowledge);
    current = outcome.entries;
    doubts.push(...outcome.doubts);
  }
  return { entries: current, doubts: doubts.toSorted((a, b) => Number(b.isStrong) - Number(a.isStrong)) };
}
