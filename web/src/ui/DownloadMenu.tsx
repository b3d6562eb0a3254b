import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Params, Query } from '../shared/url.ts';
import { download } from '../shared/download.ts';
import { ActionMenu, MenuButton, MenuCheckbox } from './ActionMenu.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';

interface Props {
  /** Of what, for screen readers: `Download the classes`. */
  label: string;
  /** The path of a call that takes `format`. */
  path: string;
  params: Params;
  /** The filters of the table. */
  query?: Query;
  /** The file's name without its ending, where the server gives none. */
  name: string;
  /** Something that the file leaves out unless it is ticked. */
  option?: { label: string; query: Query };
}

/** A table as a file: what is shown, with its filters. */
export function DownloadMenu({ label, path, params, query, name, option }: Props) {
  const [isTicked, setTicked] = useState(false);
  const file = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') =>
      download(path, { params, query: { format, ...query, ...(isTicked && option?.query) } }, `${name}.${format}`),
  });
  return (
    <>
      <ActionMenu label={label} text="Download">
        {option && <MenuCheckbox label={option.label} isTicked={isTicked} onChange={setTicked} />}
        <MenuButton onClick={() => file.mutate('xlsx')}>Spreadsheet (xlsx)</MenuButton>
        <MenuButton onClick={() => file.mutate('csv')}>CSV</MenuButton>
      </ActionMenu>
      {file.error && <ErrorNotice error={file.error} />}
    </>
  );
}
