import { useMutation } from '@tanstack/react-query';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { download } from '../../../shared/download.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ActionMenu, MenuButton } from '../../../ui/ActionMenu.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import type { TableState } from '../../../ui/table-url-state.ts';
import { filtersInAddress } from '../model/pupils-table.ts';

/** The pupils whom the search and the filters leave, as a file that the import reads again. */
export function DownloadPupils({ tableState }: { tableState: TableState }) {
  const schoolId = useSchoolId();
  const file = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') =>
      download(
        downloadCalls.exportPupils.path,
        {
          params: { id: schoolId },
          query: {
            format,
            ...(tableState.search && { search: tableState.search }),
            ...filtersInAddress(tableState.filters),
          },
        },
        `pupils.${format}`,
      ),
  });
  return (
    <>
      <ActionMenu label="Download the pupils shown" text="Download">
        <MenuButton onClick={() => file.mutate('xlsx')}>Spreadsheet (xlsx)</MenuButton>
        <MenuButton onClick={() => file.mutate('csv')}>CSV</MenuButton>
      </ActionMenu>
      {file.error && <ErrorNotice error={file.error} />}
    </>
  );
}
