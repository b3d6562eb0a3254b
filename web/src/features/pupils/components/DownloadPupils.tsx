import { downloadCalls } from '#contract/calls/downloads.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import type { TableState } from '../../../ui/table-url-state.ts';

/** Downloads the pupils that match the search and filters, as a file that the import accepts. */
export const DownloadPupils = ({ callState }: { callState: TableState }) => (
  <DownloadMenu
    label="Download the pupils shown"
    path={downloadCalls.exportPupils.path}
    params={{ id: useSchoolId() }}
    query={{
      ...(callState.search && { search: callState.search }),
      ...callState.filters,
    }}
    name="pupils"
  />
);
