import { NativeSelect } from '@mantine/core';
import { Link } from 'react-router';
import { QueryForm } from '../../../ui/QueryForm.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { LEVELS, showAddress, type useLibraryState } from '../model/library-state.ts';
import css from './LibraryTools.module.css';

const SHOWN = [
  ['all', 'All books'],
  ['assigned', 'Only Assigned'],
  ['unassigned', 'Only Unassigned'],
] as const;

/** Search, reading levels and the three filters. */
export function LibraryTools({ controls }: { controls: ReturnType<typeof useLibraryState> }) {
  const { state, searchTyped, setSearch, submitSearch, setLevels, setShow } = controls;
  return (
    <search className={css.tools} aria-label="Books">
      <div className={css.search}>
        <QueryForm sets={['search']} action="Search" onSubmit={submitSearch}>
          <SearchBox label="Search for a book" name="search" value={searchTyped} onChange={setSearch} />
        </QueryForm>
      </div>
      <QueryForm sets={['from', 'to']} action="Show these levels" className={css.levels}>
        <NativeSelect
          label="Reading Levels from"
          name="from"
          value={String(state.from)}
          data={LEVELS.map((level) => ({ value: String(level), label: `Level ${level}`, disabled: level > state.to }))}
          onChange={(event) => setLevels(Number(event.currentTarget.value), state.to)}
        />
        <NativeSelect
          label="To"
          name="to"
          aria-label="Reading Levels to"
          value={String(state.to)}
          data={LEVELS.map((level) => ({
            value: String(level),
            label: `Level ${level}`,
            disabled: level < state.from,
          }))}
          onChange={(event) => setLevels(state.from, Number(event.currentTarget.value))}
        />
      </QueryForm>
      <nav className={css.filters} aria-label="Books shown">
        {SHOWN.map(([show, text]) => (
          <Link
            key={show}
            to={showAddress(state, show)}
            replace
            preventScrollReset
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              setShow(show);
            }}
            aria-current={state.show === show ? 'true' : undefined}
          >
            {text}
          </Link>
        ))}
      </nav>
    </search>
  );
}
