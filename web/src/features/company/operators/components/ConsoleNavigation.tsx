import { NavLink } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { LogOutLink } from '../../../../ui/LogOutForm.tsx';
import css from './ConsoleNavigation.module.css';

const PAGES = [
  { text: 'Schools', to: paths.admin() },
  { text: 'Subscriptions', to: paths.adminSubscriptions() },
  { text: 'Invoices', to: paths.adminInvoices() },
  { text: 'Packages', to: paths.adminPackages() },
  { text: 'Revenue', to: paths.adminRevenue() },
  { text: 'Background work', to: paths.adminBackgroundWork() },
  { text: 'Retention', to: paths.adminRetention() },
];

/** The pages of the operator's console. */
export const ConsoleNavigation = () => (
  <nav aria-label="Console" className={css.pages}>
    {PAGES.map(({ text, to }) => (
      <NavLink key={to} to={to} end>
        {text}
      </NavLink>
    ))}
    <LogOutLink />
  </nav>
);
