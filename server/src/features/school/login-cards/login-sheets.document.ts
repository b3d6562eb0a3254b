import { fitWidths } from '../../../spreadsheets/sheet-file.ts';
import type { SheetToWrite } from '../../../spreadsheets/xlsx.ts';
import type { Login } from './login-sheets.service.ts';

/** New logins as a spreadsheet. */
export const loginsSheet = (logins: readonly Login[]): SheetToWrite => {
  const rows = logins.map((login) => [login.name, login.class ?? '', login.username, login.password]);
  return {
    name: 'Logins',
    headers: ['Name', 'Class', 'Username', 'Password'],
    rows,
    widths: fitWidths(rows, [24, 16, 26, 16]),
  };
};

/** Templates: an example below the headers, and a second sheet with instructions. */
export const templateSheets: Record<'pupils.xlsx' | 'teachers.xlsx', SheetToWrite> = {
  'pupils.xlsx': {
    name: 'Pupils',
    headers: ['Name', 'Class'],
    rows: [['Amara Bell', '3 Badgers']],
    widths: [32, 20],
    notesName: 'How to fill it in',
    notes: [
      'The row below the headers is an example. Replace it with your first pupil.',
      'Name: first and last name in one cell. Nothing else about the child is needed.',
      'Class: the name that your school uses. A new class is created when you add the pupils. You can leave it empty.',
      'One row for each pupil, up to 5,000 rows. Do not leave out the headers.',
      'To use it: open Pupils in the portal, press Add Pupils, and choose this file. You can check every row before anything is saved.',
    ],
  },
  'teachers.xlsx': {
    name: 'Teachers',
    headers: ['Email', 'Name'],
    rows: [['amara.bell@school.example', 'Amara Bell']],
    widths: [36, 32],
    notesName: 'How to fill it in',
    notes: [
      'The row below the headers is an example. Replace it with your first teacher.',
      'Email: the address at which the teacher gets the invitation.',
      'Name: first and last name in one cell. You can leave it empty.',
      'To use it: open Teachers in the portal, press Add Teacher, and choose this file. You can check every row before anything is sent.',
    ],
  },
};

/** The sentence on a login card about where to log in. Never the portal's own URL: children do not log in here. */
export function loginInstruction({ url, name }: { url: string | undefined; name: string | undefined }): string {
  const address = url?.replace(/^https?:\/\//, '').replace(/\/$/, '');
  if (address) return name ? `Log in to ${name} at ${address}` : `Log in at ${address}`;
  return name ? `Open ${name} and log in` : 'Open the reading app and log in';
}

/** The URL in a card's QR code: the reading app with the username filled in. */
export function loginUrl(appUrl: string, username: string): string {
  const address = new URL(appUrl);
  address.searchParams.set('username', username);
  return address.href;
}
