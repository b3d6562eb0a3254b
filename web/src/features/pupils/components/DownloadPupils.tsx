import { downloadCalls } from '#contract/calls/downloads.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import type { TableState } from '../../../ui/table-url-state.ts';
import { filtersInAddress } from '../model/pupils-table.ts';

/** The pupils whom the search and the filters leave, as a file that the import reads again. */
export const DownloadPupils = ({ tableState }: { tableState: TableState }) => (
  <DownloadMenu
    label="Download the pupils shown"
    path={downloadCalls.exportPupils.path}
    params={{ id: useSchoolId() }}
    query={{
      ...(tableState.search && { search: tableState.search }),
      ...filtersInAddress(tableState.filters),
    }}
    name="pupils"
  />
);
