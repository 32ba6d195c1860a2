import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import type { Client } from '../session/client.js';
import { AccountPage } from './account/account-page.js';
import { AppContext, useApp, useUserId } from './data/app-context.js';
import type { Configuration } from './data/configuration.js';
import { paths } from './data/paths.js';
import { GroupPage } from './group/group-page.js';
import { HomePage } from './home/home-page.js';
import { NewGroupPage } from './home/new-group-page.js';
import { LogInPage } from './log-in/log-in-page.js';
import { RegisterPage } from './log-in/register-page.js';
import { ConnectionNotice } from './ui/connection-notice.js';
import { Navigation } from './ui/navigation.js';
import { NotFoundPage } from './ui/not-found-page.js';

interface AppProps {
  readonly client: Client;
  readonly configuration: Configuration;
}

/** The whole client: what every page needs, and the page of the current path. */
export function App({ client, configuration }: AppProps) {
  const { root } = paths(configuration.basePath);
  return (
    <AppContext.Provider value={{ client, configuration, paths: paths(configuration.basePath) }}>
      <LocationProvider scope={new RegExp(`^${root}(/|\\?|$)`)}>
        <ConnectionNotice />
        <Pages />
      </LocationProvider>
    </AppContext.Provider>
  );
}

/** Another user gets new pages, so that nothing of the user before remains. */
function Pages() {
  const userId = useUserId();
  return userId === null ? <PublicPages /> : <PagesOfUser key={userId} />;
}

function PublicPages() {
  const { paths } = useApp();
  return (
    <Router>
      <Route path={paths.register} component={RegisterPage} />
      <Route default component={LogInPage} />
    </Router>
  );
}

function PagesOfUser() {
  const { paths } = useApp();
  return (
    <>
      <Navigation />
      <Router>
        <Route path={paths.root} component={HomePage} />
        <Route path={paths.newGroup} component={NewGroupPage} />
        <Route path={paths.group(':id')} component={GroupPage} />
        <Route path={paths.account} component={AccountPage} />
        <Route path={paths.register} component={GoHome} />
        <Route default component={NotFoundPage} />
      </Router>
    </>
  );
}

/** Leads on from a page that is only for visitors without a session. */
function GoHome() {
  const { paths } = useApp();
  const { route } = useLocation();
  useEffect(() => {
    route(paths.root, true);
  }, []);
  return null;
}
