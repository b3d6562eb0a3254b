import { Link } from '../../../../ui/Link.tsx';
import { useLocation } from '../../../../shared/router.ts';
import { paths } from '../../../../paths.ts';
import { LogOutLink } from '../../../../ui/LogOutForm.tsx';
import css from './ConsoleNavigation.module.css';

const PAGES = [
  { text: 'Schools', to: paths.admin() },
  { text: 'Subscriptions', to: paths.adminSubscriptions() },
  { text: 'Invoices', to: paths.adminInvoices() },
  { text: 'Packages', to: paths.adminPackages() },
  { text: 'Levels', to: paths.adminLevels() },
  { text: 'Revenue', to: paths.adminRevenue() },
  { text: 'Background work', to: paths.adminBackgroundWork() },
  { text: 'Retention', to: paths.adminRetention() },
];

/** The pages of the operator's console. */
export function ConsoleNavigation() {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Console" className={css.pages}>
      {PAGES.map(({ text, to }) => (
        <Link key={to} to={to} aria-current={to === pathname ? 'page' : undefined}>
          {text}
        </Link>
      ))}
      <LogOutLink />
    </nav>
  );
}
