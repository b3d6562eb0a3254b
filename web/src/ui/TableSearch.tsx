import { QueryForm } from './QueryForm.tsx';
import { SearchBox } from './SearchBox.tsx';
import type { TableControls } from './use-table-state.ts';

/** The search of a table. */
export const TableSearch = ({ label, controls }: { label: string; controls: TableControls }) => (
  <QueryForm sets={['search']} action="Search" onSubmit={controls.submitSearch}>
    <SearchBox label={label} name="search" value={controls.searchTyped} onChange={controls.setSearch} />
  </QueryForm>
);
