import { useApp } from '../data/app-context.js';
import { Page } from './page.js';

export function NotFoundPage() {
  const { paths } = useApp();
  return (
    <Page title="There is nothing here" narrow>
      <p>
        Perhaps the link is incomplete. <a href={paths.root}>Go to your groups</a>
      </p>
    </Page>
  );
}
