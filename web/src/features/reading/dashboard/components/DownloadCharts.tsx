import { useMutation } from '@tanstack/react-query';
import { chartCalls } from '#contract/calls/charts.ts';
import { download } from '../../../../shared/download.ts';
import { ActionMenu, MenuButton } from '../../../../ui/ActionMenu.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { chartInput, scopeInput, type Scope } from '../dashboard.api.ts';
import type { ChartKind } from '../model/charts.ts';

interface Props {
  charts: readonly Pick<ChartKind, 'name' | 'title'>[];
  scope: Scope;
  /** Offers the summary of a class or a school. */
  hasSummary?: boolean;
}

/** The page's downloads: all charts as a spreadsheet, one chart as CSV, and a summary for governors. */
export function DownloadCharts({ charts, scope, hasSummary = false }: Props) {
  const file = useMutation({ mutationFn: (start: () => Promise<void>) => start() });
  const days = scopeInput(scope);
  return (
    <div>
      <ActionMenu label="Download the figures" text="Download">
        {hasSummary && (
          <MenuButton
            onClick={() =>
              file.mutate(() =>
                download(chartCalls.getReadingSummary.path, { query: { ...days, output: 'pdf' } }, 'summary.pdf'),
              )
            }
          >
            Summary for governors (PDF)
          </MenuButton>
        )}
        <MenuButton
          onClick={() => file.mutate(() => download(chartCalls.downloadCharts.path, { query: days }, 'charts.xlsx'))}
        >
          All charts (XLSX)
        </MenuButton>
        {charts.map(({ name, title }) => (
          <MenuButton
            key={name}
            onClick={() =>
              file.mutate(() =>
                download(
                  chartCalls.getChart.path,
                  { query: { ...chartInput(name, scope), output: 'csv' } },
                  `${name}.csv`,
                ),
              )
            }
          >
            {title} (CSV)
          </MenuButton>
        ))}
      </ActionMenu>
      {file.error && <ErrorNotice error={file.error} />}
    </div>
  );
}
