import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { listScoreHistory, type ConnectionPage, type GroupView, type ScoreView } from '../../groups/index.js';
import { createConnectionType } from '../connections/create-connection-type.js';
import type { RequestContext } from '../context/request-context.js';
import { PageArgs } from '../connections/page-args.js';
import { pageRequest, Selection, type PageSelection } from '../connections/page-selection.js';
import { CompatibilityScoreType } from './compatibility-score.type.js';
import { GroupType } from './group.type.js';

const CompatibilityScoreConnection = createConnectionType(
  CompatibilityScoreType,
  'CompatibilityScore',
  'the scores of a group, oldest first',
);

@Resolver(() => GroupType)
export class ScoreHistoryResolver {
  @FieldResolver(() => CompatibilityScoreConnection, {
    description: 'Every score that was written for it, oldest first; the last one is in force.',
  })
  scoreHistory(
    @Root() group: GroupView,
    @Args(() => PageArgs) args: PageArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<ScoreView>> {
    return listScoreHistory(groups, actor, group, pageRequest(args, selection));
  }
}
