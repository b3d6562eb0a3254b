import type { ImportPreview } from '#contract/calls/pupil-import.ts';
import { count } from '../../../../shared/format.ts';

type Understood = ImportPreview['understood'];

/** In characters: a link with it still fits in every browser’s address bar. */
const MAX_LENGTH = 1500;

/** How a list was read, for support: its format, layout, sheets and headers, without a name of a sheet or a cell of a pupil. */
export function describeReading({ format, layout, sheets, questions }: Understood): string {
  const lines = sheets.map((sheet, index) => {
    const columns = sheet.columns.map(
      ({ letter, header, role }) => `${letter} ${header ?? 'without a header'}: ${role}`,
    );
    return [
      `Sheet ${index + 1}: ${sheet.used ? count(sheet.pupils, 'pupil') : 'not used'}, class from ${sheet.class_from}`,
      ...(sheet.used ? columns : []),
    ].join('\n');
  });
  return (
    [
      'Our list was read wrongly. What should have been different:',
      '',
      '',
      `Format: ${format}. Layout: ${layout ?? 'none'}. Questions: ${questions.map(({ id }) => id.split(':')[0]).join(', ') || 'none'}.`,
      ...lines,
    ]
      .join('\n')
      .slice(0, MAX_LENGTH)
      // A character that was cut in two is no part of an address.
      .toWellFormed()
  );
}
