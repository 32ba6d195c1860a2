/**
 * As SQL, what `currentState` says of the group `g`: a deadline that has passed shows before it is recorded.
 *
 * Nothing but the deadline can have changed the state since it was stored, so it is decided nowhere twice: whatever had
 * not been confirmed by then has expired.
 *
 * @param now the parameter that holds the moment
 */
export function groupStateSql(now: string): string {
  return `case
      when g.cancelled_at is null and g.required_at_deadline is null and g.respond_by <= ${now} and g.state <> 'CONFIRMED' then 'EXPIRED'
      else g.state
    end`;
}
