-- What leaves the warehouse: finished stays only. Microveil reads the result of this query.
SELECT patient, birth, sex, town, admission, discharge, icd10, outcome, cost
FROM stays
WHERE discharge IS NOT NULL
