import { useApp } from '../data/app-context.js';
import { Loading } from '../ui/loading.js';
import { Page } from '../ui/page.js';
import { GroupView } from './group-view.js';
import { useGroup } from './use-group.js';

interface GroupPageProps {
  readonly params: { readonly id: string };
}

export function GroupPage({ params: { id } }: GroupPageProps) {
  return <LoadedGroup key={id} id={id} />;
}

function LoadedGroup({ id }: { readonly id: string }) {
  const live = useGroup(id);
  if (live.isGone) return <GroupIsGone />;
  if (live.group === null)
    return (
      <Page title="Group">
        <Loading error={live.error} onRetry={live.reload} />
      </Page>
    );
  return <GroupView live={live} group={live.group} />;
}

/** There is no such group, or it is not the visitor's to see. The service does not tell which. */
function GroupIsGone() {
  const { paths } = useApp();
  return (
    <Page title="There is no such group" narrow>
      <p>
        Perhaps you left it, or were removed. <a href={paths.root}>Go to your groups</a>
      </p>
    </Page>
  );
}
