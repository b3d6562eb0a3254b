import { SaxesParser } from 'saxes';
import { type FilePupil, type SchoolRecordsFile, SchoolRecordsFileError } from './file-content.service.ts';
import { parseBirthDate } from '#contract/birth-date.ts';
import { isUpn } from '#contract/upn.ts';
import { parseYearGroup } from '#contract/year-group.ts';
import { RecordFaults } from './record-faults.service.ts';

const CHUNK_BYTES = 64 * 1024;
const MAX_DEPTH = 40;
const MAX_TEXT_LENGTH = 200;
const MAX_PUPILS = 5001;

type Field =
  | 'upn'
  | 'surname'
  | 'forename'
  | 'preferredSurname'
  | 'preferredForename'
  | 'birthDate'
  | 'yearGroup'
  | 'class';

/** The fields that are read, by their name in lower case. Everything else is dropped as it is parsed. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['upn', 'upn'],
  ['surname', 'surname'],
  ['forename', 'forename'],
  ['preferredsurname', 'preferredSurname'],
  ['preferredforename', 'preferredForename'],
  ['dob', 'birthDate'],
  ['ncyearactual', 'yearGroup'],
  ['reggroup', 'class'],
]);
/** A pupil, in a file of the Common Transfer File or the Admissions Transfer File. */
const PUPIL = /^[ca]tfile\/[ca]tfpupildata\/pupil$/;
/** A field, directly in the pupil or in the basic details. */
const FIELD = /^[ca]tfile\/[ca]tfpupildata\/pupil\/(?:basicdetails\/)?([a-z]+)$/;

const OFFERS_NOTE =
  'These are the pupils to whom the local authority has offered a place. Some may not come, and others may follow.';

type Fields = Partial<Record<Field, string>>;

/**
 * Reads a Common Transfer File, or a local authority's Admissions Transfer File of the pupils with an offer, in chunks. It
 * only adds and updates pupils. Document types and entities are rejected. Throws a SchoolRecordsFileError.
 */
export function readCtf(content: Buffer, today: string): SchoolRecordsFile {
  const pupils: Fields[] = [];
  const parser = new SaxesParser();
  const path: string[] = [];
  let pupil: Fields | undefined;
  let field: Field | undefined;
  let root = '';
  parser.on('error', () => {
    throw new SchoolRecordsFileError('This file is not valid XML. It may be cut off, or have a wrong encoding.');
  });
  parser.on('doctype', () => {
    throw new SchoolRecordsFileError('This file has a document type, which a Common Transfer File does not have.');
  });
  parser.on('opentag', ({ name }) => {
    // Some systems put a prefix before each name.
    path.push(name.slice(name.indexOf(':') + 1).toLowerCase());
    if (path.length > MAX_DEPTH) throw new SchoolRecordsFileError('This file is nested too deeply.');
    root = path[0] ?? '';
    if (root !== 'ctfile' && root !== 'atfile')
      throw new SchoolRecordsFileError(
        'This is neither a OneRoster bundle nor a Common Transfer File or Admissions Transfer File.',
      );
    const here = path.join('/');
    if (PUPIL.test(here)) {
      pupil = {};
      pupils.push(pupil);
      if (pupils.length > MAX_PUPILS) throw new SchoolRecordsFileError('This file has more than 5,000 pupils.');
    }
    field = FIELDS.get(FIELD.exec(here)?.[1] ?? '');
    if (pupil && field) pupil[field] = '';
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
  return toSchoolRecords(pupils, root === 'atfile' ? 'atf' : 'ctf', today);
}

/** The encoding that a byte order mark or the XML declaration states; UTF-8 by default. */
function findEncoding(content: Buffer): string {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  const declared = /^[^>]*encoding=["']([\w-]+)["']/.exec(content.toString('latin1', 0, 200))?.[1]?.toLowerCase();
  return declared === 'iso-8859-1' || declared === 'windows-1252' ? 'windows-1252' : 'utf-8';
}

function toSchoolRecords(found: readonly Fields[], kind: 'ctf' | 'atf', today: string): SchoolRecordsFile {
  const faults = new RecordFaults();
  const classes = new Map<string, string>();
  // Offers are for the coming September: until then they are not the year groups of now.
  const hasYearGroups = kind === 'ctf' || today.slice(5, 7) >= '08';
  const pupils = found.flatMap((fields, index): FilePupil[] => {
    const textOf = (field: Field) => fields[field]?.trim() ?? '';
    const place = `Pupil ${index + 1} in the file`;
    const birthDate = parseBirthDate(textOf('birthDate'), today);
    const className = kind === 'ctf' ? textOf('class') : '';
    const forename = textOf('preferredForename') || textOf('forename');
    const surname = textOf('preferredSurname') || textOf('surname');
    const pupil = {
      sourceId: null,
      name: `${forename} ${surname}`.trim(),
      yearGroup: hasYearGroups ? parseYearGroup(textOf('yearGroup')) : null,
      classIds: className === '' ? [] : [className.toLowerCase()],
      upn: isUpn(textOf('upn')) ? textOf('upn') : null,
      birthDate,
      isGone: false,
    };
    const fault =
      forename === '' || surname === ''
        ? `${forename === '' ? 'Forename' : 'Surname'} is empty.`
        : // Without a UPN, the name and date of birth together identify a pupil.
          pupil.upn === null && birthDate === null
          ? 'it has neither a valid UPN nor a date of birth.'
          : undefined;
    if (fault !== undefined) {
      faults.leaveOut(`${place}: ${fault}`, 'pupil');
      return [];
    }
    if (birthDate === null && textOf('birthDate') !== '') faults.omitValue(`${place}: DOB is not a date of birth.`);
    if (hasYearGroups && pupil.yearGroup === null && textOf('yearGroup') !== '')
      faults.omitValue(`${place}: NCyearActual is not a year group.`);
    if (className !== '' && !classes.has(className.toLowerCase())) classes.set(className.toLowerCase(), className);
    return [pupil];
  });
  return {
    kind,
    isComplete: false,
    pupils,
    classes: [...classes].map(([sourceId, name]) => ({ sourceId, name, isHomeroom: true })),
    staff: [],
    unclearStaff: null,
    notes: [...(kind === 'atf' ? [OFFERS_NOTE] : []), ...faults.toNotes()],
  };
}
