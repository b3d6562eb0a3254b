import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import type { ImportSheet, ListLayout } from '#contract/calls/pupil-import.ts';
import { count } from '../../../../shared/format.ts';
import type { Draft } from '../model/use-import-draft.ts';
import css from './ListSheets.module.css';

const LAYOUTS: Record<ListLayout, string> = {
  table: 'A row for each pupil',
  columns: 'A class in each column',
  headings: 'The class above its pupils',
  lines: 'Several things in one cell, or several names in a row',
};

interface Props {
  draft: Pick<Draft, 'understood' | 'isEdited'>;
  isBusy: boolean;
  onLayout: (layout: ListLayout) => void;
  /** The positions of the sheets to use, from 1. */
  onSheets: (positions: readonly number[]) => void;
}

/** The sheets of a workbook, each with a tick, and how the list is laid out. Nothing for a list that can only be read in one way. */
export function ListSheets({ draft: { understood, isEdited }, isBusy, onLayout, onSheets }: Props) {
  const { sheets, layout, layouts } = understood;
  if (sheets.length < 2 && layouts.length < 2) return null;
  const notes = new Set(sheets.filter(({ used }) => used).map(({ note }) => note));
  // A note that all sheets have in common appears once.
  const common = sheets.length > 1 && notes.size === 1 ? [...notes][0] : undefined;
  const positions = (isUsed: (sheet: ImportSheet, index: number) => boolean) =>
    sheets.flatMap((sheet, index) => (isUsed(sheet, index) ? [index + 1] : []));
  return (
    <section aria-labelledby="sheets-title" className={css.root}>
      <h2 id="sheets-title">{sheets.length > 1 ? 'Sheets' : 'The list'}</h2>
      {sheets.length > 1 && (
        <ul className={`plain ${css.sheets}`}>
          {sheets.map((sheet, index) => (
            <li key={sheet.name}>
              <Checkbox
                label={sheet.name}
                description={[count(sheet.pupils, 'pupil'), sheet.note !== common && sheet.note]
                  .filter(Boolean)
                  .join('. ')}
                checked={sheet.used}
                disabled={isBusy || isEdited || !sheet.can_use}
                onChange={(event) => {
                  const { checked } = event.currentTarget;
                  onSheets(positions((other, at) => (at === index ? checked : other.used)));
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {common && <p className="soft flat">{common}</p>}
      {layout && layouts.length > 1 && (
        <NativeSelect
          label="Read as"
          className={css.layout}
          value={layout}
          disabled={isBusy || isEdited}
          onChange={(event) => onLayout(event.currentTarget.value as ListLayout)}
          data={layouts.map((value) => ({ value, label: LAYOUTS[value] }))}
        />
      )}
    </section>
  );
}
