import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { listScoreHistory, type GroupView, type ScoreView } from '../../groups/index.js';
import type { ConnectionPage } from '../../paging/index.js';
import { createConnectionType } from '../connection.js';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../page-args.js';
import { pageRequest, Selection, type PageSelection } from '../page-selection.js';
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
