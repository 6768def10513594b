/** Groups of 20 merchants with a captured payment each, one every minute until now. */
export const THOUSANDS = `create table made as
    select uuidv7(n * interval '-1 minute') as id, 'm' || n % 20 as merchant_id, n, now() - n * interval '1 minute' as at
    from generate_series(1, 20000) n;
  insert into groups (id, merchant_id, mode, group_name, merchant_order_id, total_minor, currency, state, page_token,
                      expires_at, version, sequence, refund_number, created_at, updated_at)
  select id, merchant_id, 'test', 'Lunch', 'GP-Z' || n, 100, 'EUR', 'open', 'token ' || n, now(), 1, 0, 0, at, at from made;
  insert into intents (id, group_id, customer_id, psp_code, credential_version, amount_minor, slot_ids, state, unknown,
                       declines, renewals, amount_captured, amount_refunded, disputed, created_at)
  select id, id, id, 'gateway_a', 1, 100, array[id], 'created', false, 0, 0, 0, 0, false, at from made;
  insert into postings (id, group_id, entry_id, account, amount_minor, intent_id, attempt_id, posted_at)
  select uuidv7(n * interval '-1 minute'), id, id, account, amount, id, id, at
  from made, (values ('payer:authorised', -100), ('group:held', 100), ('group:held', -100), ('merchant:captured', 100))
    as legs (account, amount);
  insert into posting_sums (merchant_id, mode, quarter, psp_code, currency, held_in, held_out, captured_in, captured_out,
                            refunded_in, refunded_out)
  select merchant_id, 'test', date_bin('15 minutes', at, '2000-01-01T00:00:00Z'), 'gateway_a', 'EUR', 100, 100, 100, 0, 0, 0
  from made group by 1, 2, 3;
  insert into movements (merchant_id, mode, at, id, kind, is_tip, psp_code, currency, amount_minor, group_id, intent_id)
  select merchant_id, 'test', at, uuidv7(n * interval '-1 minute'), kind, false, 'gateway_a', 'EUR', 100, id, id
  from made, (values ('held'), ('captured')) as kinds (kind)`;
