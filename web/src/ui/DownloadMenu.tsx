import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Params, Query } from '../shared/url.ts';
import { download } from '../shared/download.ts';
import { ActionMenu, MenuButton, MenuCheckbox } from './ActionMenu.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';

interface Props {
  /** Of what, for screen readers: `Download the classes`. */
  label: string;
  /** The path of a call that takes `output`. */
  path: string;
  params: Params;
  /** The filters of the table. */
  query?: Query;
  /** The file's name without its ending, where the server gives none. */
  name: string;
  /** Something that the file leaves out unless it is ticked. */
  option?: { label: string; query: Query };
  /** The call also returns JSON Lines, for programs. */
  hasJsonLines?: boolean;
}

/** A table as a file: what is shown, with its filters. */
export function DownloadMenu({ label, path, params, query, name, option, hasJsonLines }: Props) {
  const [isTicked, setTicked] = useState(false);
  const file = useMutation({
    mutationFn: (output: 'csv' | 'xlsx' | 'jsonl') =>
      download(path, { params, query: { output, ...query, ...(isTicked && option?.query) } }, `${name}.${output}`),
  });
  return (
    <>
      <ActionMenu label={label} text="Download">
        {option && <MenuCheckbox label={option.label} isTicked={isTicked} onChange={setTicked} />}
        <MenuButton onClick={() => file.mutate('xlsx')}>Spreadsheet (xlsx)</MenuButton>
        <MenuButton onClick={() => file.mutate('csv')}>CSV</MenuButton>
        {hasJsonLines && <MenuButton onClick={() => file.mutate('jsonl')}>JSON Lines, for programs</MenuButton>}
      </ActionMenu>
      {file.error && <ErrorNotice error={file.error} />}
    </>
  );
}
