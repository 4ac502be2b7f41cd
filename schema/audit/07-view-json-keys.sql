-- True if a text is a JSON object without white space, in the form that this engine writes.
create macro is_json_object(content) as content[1] = '{' and try(json(content)) is not distinct from content;
-- A number that is equal for documents with the same keys in the same order on the upper levels.
create macro json_shape(content) as hash(try(json_keys(content, ['$', '$.inputs'])), try(json_keys(content, '$.inputs.*')));
-- True if the keys on one of these levels are not sorted, or if a key occurs twice.
create macro has_unsorted_keys(content) as
  list_bool_or(list_transform(
    list_concat(json_keys(content, ['$', '$.inputs']), json_keys(content, '$.inputs.*')),
    lambda list: len(list_filter(list, lambda name, nth: name <= list[nth - 1])) > 0
  ));
