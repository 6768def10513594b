--! expand
-- Which settings the dispatcher's sessions begin with; the migrations give them to its role.
do $$ begin execute format('comment on schema %I is %L', current_schema(), 'plans once'); end $$;
