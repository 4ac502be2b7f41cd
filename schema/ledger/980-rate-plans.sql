-- A rate is asked for by the thousand, of spans that all have the same plan. Planned for each span anew, as the server
-- does where it believes that this pays, a rate took 1 to 1.5 milliseconds; with one plan for all it takes 0.2 to 0.6.
alter function service.cost_rate(text, date, date, date, date) set plan_cache_mode = force_generic_plan;
