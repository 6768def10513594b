--! expand
-- What asked for the timer: its firing is a trace of its own, linked to that.
alter table timers add column traceparent text;
