import { downloadCalls } from '#contract/calls/downloads.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { DownloadMenu } from '../../../../ui/DownloadMenu.tsx';
import type { TableState } from '../../../../ui/table-url-state.ts';

interface Props {
  callState: TableState;
  /** The user sees tags, which the file can include. */
  hasTags: boolean;
}

/** Downloads the pupils that match the search and filters, as a file that the import accepts. */
export const DownloadPupils = ({ callState, hasTags }: Props) => (
  <DownloadMenu
    label="Download the pupils shown"
    path={downloadCalls.exportPupils.path}
    params={{ id: useSchoolId() }}
    query={{
      ...(callState.search && { search: callState.search }),
      ...callState.filters,
    }}
    name="pupils"
    {...(hasTags && { option: { label: 'Include tags', query: { include_tags: '1' } } })}
  />
);
