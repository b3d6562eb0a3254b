import type { NamesInEmails } from '#contract/calls/school.ts';

interface NamedPupil {
  id: number;
  name: string;
}

/** Letters of the last name that tell pupils with the same first name apart. */
const MAX_LETTERS = 3;

/** A letter and its accents are one character. */
const characters = new Intl.Segmenter('en-GB');

/** `Ada B.`; a name of one word stays as it is. */
function shorten(name: string, letters: number): string {
  const words = name.split(' ');
  const last = words.at(-1) ?? '';
  if (words.length < 2) return name;
  const initial = Array.from(characters.segment(last), ({ segment }) => segment)
    .slice(0, letters)
    .join('');
  return `${words[0] ?? ''} ${initial}${initial === last ? '' : '.'}`;
}

/**
 * The names of pupils in emails, by ID: in full, or the first name and the initial. Pupils with the same initial get up to
 * three letters of the last name; those who are still alike are marked as `one of 2`, because each is a link.
 * @param pupils all pupils whom the recipient sees, not only those in the email
 */
export function namesForEmail(
  pupils: readonly NamedPupil[],
  naming: Exclude<NamesInEmails, 'none'>,
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  let alike = pupils;
  for (let letters = 1; letters <= MAX_LETTERS && alike.length > 0; letters += 1) {
    const nameOf = ({ name }: NamedPupil) => (naming === 'full' ? name : shorten(name, letters));
    const byName = Map.groupBy(alike, nameOf);
    for (const [name, namesakes] of byName)
      for (const { id } of namesakes)
        names.set(id, namesakes.length === 1 ? name : `${name} (one of ${String(namesakes.length)})`);
    alike = [...byName.values()].flatMap((namesakes) => (namesakes.length > 1 ? namesakes : []));
  }
  return names;
}
