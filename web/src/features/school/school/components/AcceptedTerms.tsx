import { Link } from '../../../../ui/Link.tsx';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../../paths.ts';
import { formatDate } from '../../../../shared/format.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { termsAcceptancesQuery } from '../school-details.api.ts';

const DOCUMENTS = {
  licence: { title: 'Licence agreement', to: paths.licence() },
  terms: { title: 'Terms and conditions', to: paths.terms() },
  privacy: { title: 'Privacy policy', to: paths.privacy() },
} as const;

/** The texts that the school has accepted, when, and by whom. */
export function AcceptedTerms({ school }: { school: School }) {
  const { data, error, refetch } = usePrefetchedQuery(termsAcceptancesQuery(school.id));
  const acceptances = data?.acceptances ?? [];
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <section aria-labelledby="terms-title" className="below-2xl">
      <h2 id="terms-title">Accepted terms</h2>
      {data && acceptances.length === 0 && school.terms_accepted_at && (
        <p>Accepted on {formatDate(school.terms_accepted_at)}.</p>
      )}
      {acceptances.length > 0 && (
        <ul className="plain stack-xs">
          {acceptances.map(({ document, version, accepted_at, accepted_by }) => (
            <li key={document + version}>
              <Link to={DOCUMENTS[document].to}>{DOCUMENTS[document].title}</Link>, version of {formatDate(version)}:
              accepted on {formatDate(accepted_at)} by {accepted_by?.name ?? 'a former member of staff'}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
