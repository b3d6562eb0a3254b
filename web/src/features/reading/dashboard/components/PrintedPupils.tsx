import { useQueries } from '@tanstack/react-query';
import { count } from '../../../../shared/format.ts';
import { useIsPrinting } from '../../../../ui/use-is-printing.ts';
import { chartQuery, type Scope } from '../dashboard.api.ts';
import { CHARTS } from '../model/charts.ts';
import { hasReading } from '../model/measures.ts';
import { pupilRows } from '../model/pupil-rows.ts';
import css from './PrintedPupils.module.css';

const PUPIL_CHARTS = CHARTS.filter(({ along }) => along === 'pupils');

/** As many pupils as fit on two pages. */
const MAX_PUPILS = 240;

/** On paper one table takes the place of the charts by pupil, which would fill several pages. */
export function PrintedPupils({ scope }: { scope: Scope }) {
  const isPrinting = useIsPrinting();
  const charts = useQueries({ queries: PUPIL_CHARTS.map(({ name }) => chartQuery(name, scope)) });
  if (!isPrinting) return null;
  const columns = charts.map(({ data }) => (data ? pupilRows(data.chart) : []));
  const pupils = columns[0] ?? [];
  if (pupils.length === 0) return null;
  if (pupils.length > MAX_PUPILS)
    return (
      <p>
        The figures of {count(pupils.length, 'pupil')} are too long to print. Use Download, All charts, or choose a
        class.
      </p>
    );
  return (
    <section className={css.pupils} data-long={pupils.length > MAX_PUPILS / 4 || undefined}>
      <h2>Pupils</h2>
      <div className={css.columns}>
        <table>
          <thead>
            <tr>
              <th scope="col">Pupil</th>
              {PUPIL_CHARTS.map(({ name, measure, shortTitle }) => (
                <th key={name} scope="col">
                  {[shortTitle, measure.tableUnit].filter(Boolean).join(', ')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pupils.map(({ id, name }, index) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                {PUPIL_CHARTS.map(({ name: chart, measure }, column) => {
                  const value = columns[column]?.[index]?.total;
                  return (
                    <td key={chart}>{hasReading(measure, value) ? measure.formatCell(value) : measure.emptyValue}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
