/* The styles that only the pages without the app need. One style sheet serves all pages, and the app's build makes it. */
import './features/accounts/access/LoginPage.module.css';
import './features/accounts/access/ResetPasswordPage.module.css';
import './features/accounts/access/components/InviteChoices.module.css';
import './features/billing/billing/HostedInvoicePage.module.css';
import './features/help/help/components/LegalText.module.css';
