import { NativeSelect } from './Field.tsx';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { PAGE_SIZES } from '#contract/limits.ts';
import { formatNumber } from '../shared/format.ts';
import { QueryForm } from './QueryForm.tsx';
import { SearchParamsLink } from './SearchParamsLink.tsx';
import css from './TablePager.module.css';
import type { TableControls } from './use-table-state.ts';

interface Props {
  controls: TableControls;
  total: number;
  noun: readonly [string, string];
  tableId: string;
}

/** "51 to 100 of 312 pupils", the way to other pages, rows per page. */
export function TablePager({ controls, total, noun, tableId }: Props) {
  const rowsId = useId();
  const { page, perPage } = controls.tableState;
  const pages = Math.max(1, Math.ceil(total / perPage));
  const first = Math.min((page - 1) * perPage + 1, total);
  const last = Math.min(page * perPage, total);
  // A page past the end, from an old link, leads back to the last one.
  const step = (to: number, label: string, Icon: typeof IconChevronLeft) => {
    const isOff = to < 1 || to > pages;
    return (
      <SearchParamsLink
        // On the first or last page it stays in place and keeps the focus.
        changes={controls.pageChanges(isOff ? page : to)}
        className={css.step}
        aria-label={isOff ? `No ${label.toLowerCase()}` : label}
        aria-disabled={isOff}
        aria-controls={tableId}
        onClick={(event) => isOff && event.preventDefault()}
      >
        <Icon size={20} aria-hidden />
      </SearchParamsLink>
    );
  };

  return (
    <div className={`row soft figures ${css.pager}`}>
      <p className={css.range}>
        {total === 1
          ? `1 ${noun[0]}`
          : `${formatNumber(first)} to ${formatNumber(last)} of ${formatNumber(total)} ${noun[1]}`}
      </p>
      <QueryForm sets={['per_page']} action="Show" className={`${css.rows} no-print`}>
        <label htmlFor={rowsId}>Rows per page</label>
        <NativeSelect
          id={rowsId}
          size="sm"
          name="per_page"
          value={String(perPage)}
          onChange={(event) => controls.setPerPage(Number(event.currentTarget.value))}
          data={PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }))}
        />
      </QueryForm>
      {pages > 1 && (
        <nav className={`${css.steps} no-print`} aria-label="Pages">
          {step(Math.min(page - 1, pages), 'Previous page', IconChevronLeft)}
          <span>
            Page {formatNumber(page)} of {formatNumber(pages)}
          </span>
          {step(page + 1, 'Next page', IconChevronRight)}
        </nav>
      )}
    </div>
  );
}
