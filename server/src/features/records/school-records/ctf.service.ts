import { SaxesParser } from 'saxes';
import { type FilePupil, type SchoolRecordsFile, SchoolRecordsFileError } from './file-content.service.ts';
import { parseBirthDate } from '#contract/birth-date.ts';
import { isUpn } from '#contract/upn.ts';
import { parseYearGroup } from '#contract/year-group.ts';

const CHUNK_BYTES = 64 * 1024;
const MAX_DEPTH = 40;
const MAX_TEXT_LENGTH = 200;
const MAX_PUPILS = 5001;

/** The fields that are read, by their path. Everything else is dropped as it is parsed. */
const FIELDS: Readonly<Record<string, 'upn' | 'surname' | 'forename' | 'birthDate' | 'yearGroup' | 'class'>> = {
  'CTfile/CTFpupilData/Pupil/UPN': 'upn',
  'CTfile/CTFpupilData/Pupil/Surname': 'surname',
  'CTfile/CTFpupilData/Pupil/Forename': 'forename',
  'CTfile/CTFpupilData/Pupil/DOB': 'birthDate',
  'CTfile/CTFpupilData/Pupil/NCyearActual': 'yearGroup',
  'CTfile/CTFpupilData/Pupil/BasicDetails/NCyearActual': 'yearGroup',
  'CTfile/CTFpupilData/Pupil/RegGroup': 'class',
  'CTfile/CTFpupilData/Pupil/BasicDetails/RegGroup': 'class',
};
const PUPIL = 'CTfile/CTFpupilData/Pupil';

type Fields = Partial<Record<(typeof FIELDS)[string], string>>;

/**
 * Reads a Common Transfer File in chunks. It only adds and updates pupils. Document types and entities are rejected.
 * Throws a SchoolRecordsFileError.
 */
export function readCtf(content: Buffer, today: string): SchoolRecordsFile {
  const pupils: Fields[] = [];
  const parser = new SaxesParser();
  const path: string[] = [];
  let pupil: Fields | undefined;
  let field: (typeof FIELDS)[string] | undefined;
  parser.on('error', () => {
    throw new SchoolRecordsFileError('This file is not valid XML. It may be cut off, or have a wrong encoding.');
  });
  parser.on('doctype', () => {
    throw new SchoolRecordsFileError('This file has a document type, which a Common Transfer File does not have.');
  });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    if (path.length > MAX_DEPTH) throw new SchoolRecordsFileError('This file is nested too deeply.');
    if (path[0] !== 'CTfile')
      throw new SchoolRecordsFileError('This is neither a OneRoster bundle nor a Common Transfer File.');
    const here = path.join('/');
    if (here === PUPIL) {
      pupil = {};
      pupils.push(pupil);
      if (pupils.length > MAX_PUPILS) throw new SchoolRecordsFileError('This file has more than 5,000 pupils.');
    }
    field = FIELDS[here];
  });
  const addText = (text: string) => {
    if (pupil && field) pupil[field] = `${pupil[field] ?? ''}${text}`.slice(0, MAX_TEXT_LENGTH);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    path.pop();
    field = undefined;
  });
  const decoder = new TextDecoder(findEncoding(content), { fatal: true });
  try {
    for (let at = 0; at < content.length; at += CHUNK_BYTES)
      parser.write(decoder.decode(content.subarray(at, at + CHUNK_BYTES), { stream: true }));
    parser.write(decoder.decode()).close();
  } catch (error) {
    if (error instanceof SchoolRecordsFileError) throw error;
    throw new SchoolRecordsFileError('This file is not valid XML. It may be cut off, or have a wrong encoding.');
  }
  return toSchoolRecords(pupils, today);
}

/** The encoding that a byte order mark or the XML declaration states; UTF-8 by default. */
function findEncoding(content: Buffer): string {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  const declared = /^[^>]*encoding=["']([\w-]+)["']/.exec(content.toString('latin1', 0, 200))?.[1]?.toLowerCase();
  return declared === 'iso-8859-1' || declared === 'windows-1252' ? 'windows-1252' : 'utf-8';
}

function toSchoolRecords(found: readonly Fields[], today: string): SchoolRecordsFile {
  const classes = new Map<string, string>();
  let withoutIdentity = 0;
  const pupils = found.flatMap(({ forename, surname, birthDate, yearGroup, ...identity }): FilePupil[] => {
    const upn = (identity.upn ?? '').trim();
    const className = (identity.class ?? '').trim();
    const pupil = {
      sourceId: null,
      name: `${(forename ?? '').trim()} ${(surname ?? '').trim()}`.trim(),
      yearGroup: parseYearGroup(yearGroup ?? ''),
      classIds: className === '' ? [] : [className.toLowerCase()],
      upn: isUpn(upn) ? upn : null,
      birthDate: parseBirthDate(birthDate ?? '', today),
      isGone: false,
    };
    // Without a UPN, the name and date of birth together identify a pupil.
    if (pupil.upn === null && pupil.birthDate === null) {
      withoutIdentity += 1;
      return [];
    }
    if (className !== '' && !classes.has(className.toLowerCase())) classes.set(className.toLowerCase(), className);
    return [pupil];
  });
  return {
    kind: 'ctf',
    isComplete: false,
    pupils,
    classes: [...classes].map(([sourceId, name]) => ({ sourceId, name, isHomeroom: true })),
    staff: [],
    notes:
      withoutIdentity > 0
        ? [`${withoutIdentity} pupils have neither a valid UPN nor a date of birth, and were left out.`]
        : [],
  };
}
