import { PUPIL_CHARTS } from '../../../reading/dashboard/chart-queries.public.ts';
import { DashboardChart, DownloadCharts, type ShownComparison } from '../../../reading/dashboard/dashboard.public.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import css from './PupilCharts.module.css';

interface Props {
  pupilId: number;
  range: DayRange;
  /** Whose figures and which days, for printing. */
  paperNote: string;
  shownComparison: ShownComparison;
}

/** A pupil's accuracy and reading time over time. */
export const PupilCharts = ({ pupilId, range, paperNote, shownComparison }: Props) => (
  <div className={`fitted ${css.charts}`}>
    <div className={`${css.download} no-print`}>
      <DownloadCharts charts={PUPIL_CHARTS} scope={{ pupilId, range }} />
    </div>
    {PUPIL_CHARTS.map((kind, index) => (
      <DashboardChart
        key={kind.name}
        kind={kind}
        isFoldedOnPhone={index > 0}
        scope={{ pupilId, range }}
        shownComparison={shownComparison}
        paperNote={paperNote}
      />
    ))}
  </div>
);
