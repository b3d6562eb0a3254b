import { downloadCalls } from '#contract/calls/downloads.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import type { TableState } from '../../../ui/table-url-state.ts';

/** The pupils whom the search and the filters leave, as a file that the import reads again. */
export const DownloadPupils = ({ asked }: { asked: TableState }) => (
  <DownloadMenu
    label="Download the pupils shown"
    path={downloadCalls.exportPupils.path}
    params={{ id: useSchoolId() }}
    query={{
      ...(asked.search && { search: asked.search }),
      ...asked.filters,
    }}
    name="pupils"
  />
);
